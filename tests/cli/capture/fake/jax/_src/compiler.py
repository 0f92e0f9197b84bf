class Module:
    name = "jit_step"

    def __init__(self, text, program):
        self.text, self.program = text, program

    def as_serialized_hlo_module_proto(self):
        """A name, a computation with what looks like a number of its own, two numbers of fixed size, and the module's."""
        number, program = b"", self.program
        while program > 0x7f:
            number, program = number + bytes([program & 0x7f | 0x80]), program >> 7
        return (b"\x0a\x08jit_step\x1a\x02\x28\x01" + b"\x31" + bytes(8) + b"\x3d" + bytes(4) + b"\x28" + number +
                bytes([program]) + b"\x30\x02")

    def to_string(self):
        return self.text


class Executable:
    def __init__(self, text, program):
        self.modules = [Module(text, program)]

    def hlo_modules(self):
        return self.modules


def compile_or_get_cached(backend, text, program):
    return Executable(text, program)
