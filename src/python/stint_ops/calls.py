"""The program's lines that call operations, as ranges {'traceMarker': ['/home/me/train.py:33', '/home/me/net.py:10']},
the outermost call first: what pyprof.init() pushes. PyTorch tells of each call of its functions; the calls that these
make within PyTorch are not told of."""
import os
import sys
import threading

MOST_TEXTS = 1 << 16  # beyond that, texts are made again each time


def _is_no_call(function):
    """Attributes, such as x.shape, are functions, too."""
    return getattr(function, "__name__", "") in ("__get__", "__set__", "__delete__")


class Calls:
    def __init__(self, torch, depth):
        self.depth = depth
        self.push, self.pop = torch._C._nvtx.rangePushA, torch._C._nvtx.rangePop
        self.hidden = tuple(os.path.dirname(path) + os.sep for path in (torch.__file__, __file__))
        self.texts = {}
        self.local = threading.local()
        self.mode = self._make_mode(torch)

    def _make_mode(self, torch):
        calls, is_compiling = self, getattr(getattr(torch, "compiler", None), "is_compiling", lambda: False)

        class Mode(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, function, types, arguments=(), named=None):
                if is_compiling() or _is_no_call(function):
                    return function(*arguments, **(named or {}))
                calls.push(calls.text())
                try:
                    return function(*arguments, **(named or {}))
                finally:
                    calls.pop()

        return Mode

    def begin(self):
        """Begins on this thread."""
        if not getattr(self.local, "mode", None):
            self.local.mode = self.mode()
            self.local.mode.__enter__()

    def text(self):
        key, frame = [], sys._getframe(2)
        while frame and len(key) < 2 * self.depth:
            if not frame.f_code.co_filename.startswith(self.hidden):
                key += (frame.f_code, frame.f_lineno)
            frame = frame.f_back
        key = tuple(key)
        text = self.texts.get(key)
        if text is None:
            lines = ["%s:%s" % (code.co_filename, line) for code, line in zip(key[::2], key[1::2])]
            text = repr({"traceMarker": lines[::-1]})
            if len(self.texts) < MOST_TEXTS:
                self.texts[key] = text
        return text
