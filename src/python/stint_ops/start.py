"""Waits for the program's `import torch` and `import jax`. STINT_OPS says what is done then:

    iterations=3,calls=0,quiet=0    how many iterations PyTorch's observer watches, how many lines of the program's calls
                                    are kept, and whether nothing is said
"""
import os
import sys


def options():
    found = {"iterations": 3, "calls": 0, "quiet": 0}
    for part in os.environ.get("STINT_OPS", "").split(","):
        key, _, value = part.partition("=")
        if key in found and value.isdigit():
            found[key] = int(value)
    return found


class _Finder:
    """Passes the import of a module on to the finders that would have found it, and looks at it when it has run."""

    def __init__(self, name, begin):
        self.name, self.begin = name, begin

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None) if finder is not self else None
            spec = find(name, path, target) if find else None
            if spec is not None:
                _follow(spec.loader, self)
                return spec
        return None


def _follow(loader, finder):
    """The loader of a file is an object of its own, of which one method is replaced until it has been called."""
    if isinstance(loader, type) or "exec_module" in getattr(loader, "__dict__", {"exec_module": None}):
        return
    plain = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        plain(module)
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
            finder.begin(module)

    loader.exec_module = exec_module


def _begin(begin, what, module):
    """Leaves no compiled files behind."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        begin(module)
    except Exception as error:
        say("%s: %s: %s" % (what, type(error).__name__, error))
    finally:
        sys.dont_write_bytecode = before


def _begin_torch(torch):
    from stint_ops import capture
    capture.begin(torch)


def _begin_jax(jax):
    from stint_ops import xla
    xla.begin(jax)


def say(text):
    """Says it as the program stint does."""
    try:
        sys.stderr.write("stint: %s\n" % text)
    except Exception:
        pass


def wait_for(name, begin):
    """Calls begin(module) when the program has imported it."""
    if name not in sys.modules:
        sys.meta_path.insert(0, _Finder(name, begin))


def wait_for_frameworks():
    wait_for("torch", lambda torch: _begin(_begin_torch, "operations are not recorded", torch))
    wait_for("jax", lambda jax: _begin(_begin_jax, "what operations of JAX cost is not known", jax))
