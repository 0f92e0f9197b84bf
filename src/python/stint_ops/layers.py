"""A range for each call of a module, with a name that says where in the network it is: `layer:net.layer1.0.conv2`.

The first part is what the program calls the network: the variable, or the attribute, that it calls it by, or else its
class. It is looked up at the first call that is within no other module's. A function that torch.compile has made is a
network, too.
"""
import functools
import os
import sys
import threading
import types
import weakref

from stint_ops import start

# Hooks are functions of this module, and what they use are its variables, so that torch.compile can see that they do
# nothing in what it compiles.
_is_compiling = None
_layers = None


class Layers:
    """`begins(thread)` and `ends(thread)` are called around calls that are within no other module's."""

    def __init__(self, torch, begins, ends):
        self.push, self.pop = torch._C._nvtx.rangePushA, torch._C._nvtx.rangePop
        self.begins, self.ends = begins, ends
        self.folder = os.path.dirname(torch.__file__) + os.sep
        self.texts = {}  # by the module's id, as long as it lives
        self.alive = {}  # weak references to the modules
        self.roots = {}  # the number of networks of each name that live
        self.local = threading.local()
        self.network = None  # the name of the one that was called last
        self.is_used = False
        self.ends_all = True  # PyTorch tells also of calls that an exception ends
        self.lock = threading.RLock()  # modules may end while names are given

    # ------------------------------------------------------------------------------------------------------- names

    def _keep(self, module, name, root=None):
        key = id(module)

        def forget(_):
            with self.lock:
                self.texts.pop(key, None)
                self.alive.pop(key, None)
                if root:
                    self.roots[root] -= 1

        self.alive[key] = weakref.ref(module, forget)
        self.texts[key] = "layer:" + name

    def _keep_all(self, module, name):
        all_below = module.named_modules() if hasattr(module, "named_modules") else ()
        for below, part in ((child, path) for path, child in all_below):
            if part and id(below) not in self.texts:
                self._keep(below, name + "." + part)

    def _name_root(self, module):
        self.is_used = True
        name = _name_in_caller(module, self.folder) or _name_of(module)
        self.roots[name] = self.roots.get(name, 0) + 1
        root = name
        if self.roots[name] > 1:
            name += "#%d" % self.roots[name]
        self._keep(module, name, root)
        self._keep_all(module, name)

    def _name_within(self, module, outermost, around):
        """A module that came into the network later, or one that is not below it."""
        self._keep_all(outermost, self.texts[id(outermost)][len("layer:"):])
        if id(module) not in self.texts:
            name = "%s.%s" % (self.texts[id(around)][len("layer:"):], _name_of(module))
            self._keep(module, name)
            self._keep_all(module, name)

    def _text_of(self, module, stack):
        with self.lock:
            if id(module) not in self.texts:
                if stack:
                    self._name_within(module, stack[0], stack[-1])
                else:
                    self._name_root(module)
            return self.texts[id(module)]

    # ------------------------------------------------------------------------------------------------------- calls

    def enter(self, module):
        stack = self.local.__dict__.setdefault("stack", [])
        if not self.ends_all and stack and module is stack[0]:
            self.leave(module)
        text = self.texts.get(id(module)) or self._text_of(module, stack)
        if not stack:
            self.network = text[len("layer:"):]
            self.begins()
        self.push(text)
        stack.append(module)

    def leave(self, module):
        """Calls that an exception ended are left here, too, if PyTorch did not say so before."""
        stack = self.local.__dict__.get("stack", [])
        if not any(entered is module for entered in stack):
            return
        while True:
            entered = stack.pop()
            self.pop()
            if entered is module:
                break
        if not stack:
            self.ends()


def _name_of(module):
    """The name of a function, or a module's class."""
    return getattr(module, "__name__", None) or type(module).__name__


_IS_FUNCTION = 1  # CO_OPTIMIZED: local variables are no dictionary of their own


def _locals_of(frame):
    """Up to Python 3.12 a frame keeps the dictionary that it makes for this, and with it what the program has freed."""
    variables = frame.f_locals
    copy = dict(variables)
    if frame.f_code.co_flags & _IS_FUNCTION and type(variables) is dict:
        variables.clear()
    return copy


def _attributes_of(value):
    attributes = getattr(value, "__dict__", None)
    if type(attributes) is not dict:
        return {}
    return dict(attributes, **(attributes.get("_modules") or {}))


def _name_in(variables, module):
    return next((name for name in variables if variables[name] is module and name != "self"), None)


def _name_in_caller(module, torch_folder):
    """What the first function that is not PyTorch's, nor ours, calls the module."""
    own = os.path.dirname(__file__) + os.sep
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith((torch_folder, own)):
        frame = frame.f_back
    if not frame:
        return None
    variables = _locals_of(frame)
    found = _name_in(variables, module) or _name_in(frame.f_globals, module)
    return found or next(filter(None, (_name_in(_attributes_of(value), module) for value in variables.values())), None)


def _without(error):
    """Something here is wrong; the program is not."""
    global _is_compiling
    _is_compiling = _always
    start.say("layers are no longer recorded: %s: %s" % (type(error).__name__, error))


def _always():
    return True


def _never():
    return False


def is_compiling():
    return _is_compiling()


def _before(module, arguments):
    if _is_compiling():
        return None
    try:
        _layers.enter(module)
    except Exception as error:
        _without(error)
    return None


def _after(module, arguments, result):
    if _is_compiling():
        return None
    try:
        _layers.leave(module)
    except Exception as error:
        _without(error)
    return None


def _as_layer(compiled):
    """What torch.compile sees of this, in another function that it compiles, is the call alone."""
    @functools.wraps(compiled)
    def call(*arguments, **named):
        if _is_compiling():
            return compiled(*arguments, **named)
        _before(call, None)
        try:
            return compiled(*arguments, **named)
        finally:
            _after(call, None, None)

    return call


def _follow_compiler(torch):
    """Modules that are compiled call the hooks; functions do not. Called as a decorator with options, torch.compile calls
    itself later."""
    plain = getattr(torch, "compile", None)
    if not plain:
        return

    @functools.wraps(plain)
    def compile_(*arguments, **named):
        compiled = plain(*arguments, **named)
        model = arguments[0] if arguments else named.get("model")
        is_module = isinstance(model, torch.nn.Module)
        is_function = isinstance(compiled, types.FunctionType) and compiled is not model
        return _as_layer(compiled) if is_function and model is not None and not is_module else compiled

    torch.compile = compile_


def begin(torch, begins, ends):
    global _is_compiling, _layers
    compiler = getattr(torch, "compiler", None)
    _is_compiling = getattr(compiler, "is_compiling", _never)
    _layers = Layers(torch, begins, ends)
    modules = torch.nn.modules.module
    modules.register_module_forward_pre_hook(_before)
    try:
        modules.register_module_forward_hook(_after, always_call=True)
    except TypeError:  # before PyTorch 2.1
        _layers.ends_all = False
        modules.register_module_forward_hook(_after)
    _follow_compiler(torch)
    return _layers
