is_on = False


def is_compiling():
    return is_on
