"""Modules: __call__ as in torch/nn/modules/module.py, whose global hooks come first."""
import sys
import types

from torch import core

pre_hooks, hooks, always = [], [], []


class Module:
    def __call__(self, *arguments):
        for hook in pre_hooks:
            assert hook(self, arguments) is None
        try:
            result = self.forward(*arguments)
        except Exception:
            for hook in always:
                hook(self, arguments, None)
            raise
        for hook in hooks:
            assert hook(self, arguments, result) is None
        return result

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, child in self.__dict__.items():
            if isinstance(child, Module):
                yield from child.named_modules(prefix + ("." if prefix else "") + name)


class Identity(Module):
    def forward(self, value):
        return value


class Linear(Module):
    def __init__(self, inputs, outputs, dtype=core.float32):
        self.weight = core.Tensor([inputs, outputs], dtype)

    def forward(self, value):
        return core.mm(value, self.weight)


def register_module_forward_pre_hook(hook):
    pre_hooks.append(hook)


def register_module_forward_hook(hook, **named):
    if core.wrong["old"] and named:
        raise TypeError("register_module_forward_hook() got an unexpected keyword argument 'always_call'")
    hooks.append(hook)
    if named.get("always_call"):
        always.append(hook)


modules = types.ModuleType("torch.nn.modules")
modules.module = sys.modules[__name__]
