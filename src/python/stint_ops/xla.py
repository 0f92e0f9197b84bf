"""What XLA says of the programs that it has compiled for JAX, as ranges: an instruction each (hlo.py).

JAX has one function that compiles a program, or takes it from its cache. XLA prints the module that it runs. There
may be no torch, so that ranges are pushed as NVTX's header does it: the library for NVTX_INJECTION64_PATH fills a table of
functions.
"""
import atexit
import ctypes
import functools
import os
import sys

from stint_ops import hlo, start

_CORE, _PUSH, _POP = 1, 9, 11  # NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushA, NVTX_CBID_CORE_RangePop
_CALLBACKS = 1  # NVTX_ETID_CALLBACKS
_FUNCTIONS = 16
_ID_FIELD = 5  # of HloModuleProto


class Nvtx:
    """NVTX's functions in stint; the tables have to live as long as they do."""

    def __init__(self, library):
        self.functions = (ctypes.c_void_p * _FUNCTIONS)()
        places = [ctypes.addressof(self.functions) + at * ctypes.sizeof(ctypes.c_void_p) for at in range(_FUNCTIONS)]
        self.table = (ctypes.c_void_p * (_FUNCTIONS + 1))(*places, None)
        get_functions = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p),
                                         ctypes.POINTER(ctypes.c_uint))
        get_table = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)
        self.get_functions, self.get_table = get_functions(self._functions_of), get_table(self._table_of)

        class Callbacks(ctypes.Structure):
            _fields_ = [("size", ctypes.c_size_t), ("get_functions", get_functions)]

        self.callbacks = Callbacks(ctypes.sizeof(Callbacks), self.get_functions)
        if not ctypes.CDLL(library).InitializeInjectionNvtx2(self.get_table) or not self.functions[_PUSH]:
            raise OSError("stint does not record ranges")
        self.push = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(self.functions[_PUSH])
        self.pop = ctypes.CFUNCTYPE(ctypes.c_int)(self.functions[_POP])

    def _table_of(self, number):
        return ctypes.addressof(self.callbacks) if number == _CALLBACKS else None

    def _functions_of(self, module, table, count):
        if module != _CORE:
            return 0
        table[0], count[0] = ctypes.addressof(self.table), _FUNCTIONS
        return 1

    def tell(self, text):
        self.push(text.encode(errors="replace"))
        self.pop()


def _varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def program_of(data):
    """Returns the module's number from its serialized form, a sequence of fields with a tag each."""
    at = program = 0
    while at < len(data):
        tag, at = _varint(data, at)
        if tag & 7 == 2:
            size, at = _varint(data, at)
            at += size
        elif tag & 7 == 0:
            value, at = _varint(data, at)
            program = value if tag >> 3 == _ID_FIELD else program
        else:
            at += 8 if tag & 7 == 1 else 4
    return program


class Xla:
    def __init__(self):
        self.nvtx = Nvtx(os.environ["NVTX_INJECTION64_PATH"])
        self.is_quiet = start.options()["quiet"]
        self.has_failed = False
        self.known = None
        if os.environ.get("STINT_DELAY") or os.environ.get("STINT_FROM_START") == "off":
            self.known = []
            atexit.register(self.tell_again)

    def tell_again(self):
        """Ranges are lost while stint does not record."""
        for text in self.known:
            self.nvtx.tell(text)

    def tell(self, text):
        if self.known is not None:
            self.known.append(text)
        self.nvtx.tell(text)

    def fails(self, text):
        """Says it the first time only."""
        if not self.has_failed and not self.is_quiet:
            start.say("what operations of JAX cost is not known of all: %s" % text)
        self.has_failed = True

    def compiled(self, executable):
        for module in executable.hlo_modules():
            program = program_of(module.as_serialized_hlo_module_proto())
            for text in hlo.texts_of(module.to_string(), module.name, program):
                if text:
                    self.tell(text)
                else:
                    self.fails("an instruction of %s cannot be read" % module.name)

    def follow(self, compiler):
        plain = compiler.compile_or_get_cached

        @functools.wraps(plain)
        def compile_or_get_cached(*arguments, **named):
            executable = plain(*arguments, **named)
            try:
                self.compiled(executable)
            except Exception as error:
                self.fails("%s: %s" % (type(error).__name__, error))
            return executable

        compiler.compile_or_get_cached = compile_or_get_cached


def begin(jax):
    """Programs on the CPU have no ranges of XLA, but are told of all the same: what they run on is known later."""
    if hasattr(jax, "jit"):
        Xla().follow(sys.modules["jax._src.compiler"])
