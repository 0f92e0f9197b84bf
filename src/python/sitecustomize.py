"""Python imports this when it starts, because `stint run --ops` has put this folder in front of PYTHONPATH.

It takes the folder out of the program's path again, prepares for an `import torch` or `import jax`, and imports the sitecustomize that
Python would have imported without it. It has to be harmless in any program, and in any Python.
"""
import os
import sys


def _prepare():
    """Imports nothing that programs without these would have to wait for, and leaves no compiled files behind."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        if sys.version_info >= (3, 8):
            from stint_ops import start
            start.wait_for_frameworks()
    except Exception as error:
        sys.stderr.write("stint: operations are not recorded: %s\n" % error)
    finally:
        sys.dont_write_bytecode = before


def _pass_on(own):
    """The import system lets a module be replaced while it is imported."""
    sys.modules.pop(__name__, None)
    try:
        __import__(__name__)
    except ImportError as error:
        if getattr(error, "name", __name__) != __name__:
            raise
        sys.modules[__name__] = own


_own = sys.modules[__name__]
_folder = os.path.dirname(__file__)
_prepare()
sys.path[:] = [path for path in sys.path if path != _folder]
_pass_on(_own)
