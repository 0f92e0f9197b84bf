"""As in PyTorch, torch.optim.optimizer is a module, but no attribute of torch.optim."""
import sys
import types

from torch import core

post_hooks = []


class SGD:
    def __init__(self, parameters):
        self.parameters = parameters

    def step(self):
        with core.Operation("Optimizer.step#SGD.step", []), core.Operation("aten::_foreach_add_", self.parameters):
            core.launch("multi_tensor_apply_kernel", 500)
        for hook in post_hooks:
            assert hook(self, (), {}) is None


sys.modules["torch.optim.optimizer"] = types.ModuleType("torch.optim.optimizer")
if not core.wrong["old"]:
    sys.modules["torch.optim.optimizer"].register_optimizer_step_post_hook = post_hooks.append
