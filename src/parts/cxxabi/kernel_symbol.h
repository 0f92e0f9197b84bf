/* Kernels' names as compilers write them: mangled, made unique, tagged. */
#ifndef STINT_CXXABI_KERNEL_SYMBOL_H
#define STINT_CXXABI_KERNEL_SYMBOL_H

/* Returns whether a name is one of C++ that is mangled, in the only scheme that is used on Linux. */
static inline int stint_is_mangled(const char *name)
{
    return name[0] == '_' && name[1] == 'Z';
}

/* nvcc names a static kernel like "__nv_static_4__1_f_name": the number of bytes that identify its file, these bytes,
 * and the kernel's own name. Returns the kernel's own name; other names are returned unchanged. */
const char *stint_static_kernel(const char *name);

/* Removes the tags "[abi:v1]" and "[abi:cw51cX...]" from a demangled name. Numba puts them into every name; the second
 * has a hundred characters that only Numba can read. */
void stint_drop_numba_tags(char *name);

#endif
