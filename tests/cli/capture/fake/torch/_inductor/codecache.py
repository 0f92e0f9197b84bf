class PyCodeCache:
    modules = []
