from torch import core


class ExecutionTraceObserver:
    registered = None

    def register_callback(self, path):
        if core.wrong["observer"]:
            raise RuntimeError("the observer refuses")
        assert ExecutionTraceObserver.registered is None, "Execution trace observer is already registered."
        ExecutionTraceObserver.registered = self
        core.Observer.open(path)
        return self

    def start(self):
        core.Observer.is_on = True

    def stop(self):
        core.Observer.is_on = False

    def unregister_callback(self):
        self.stop()
        core.Observer.close()
        ExecutionTraceObserver.registered = None

    def __del__(self):
        if ExecutionTraceObserver.registered is self:
            self.unregister_callback()


if core.wrong["old"]:
    del ExecutionTraceObserver
