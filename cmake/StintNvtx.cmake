# STINT_NVTX_INCLUDE_DIR - the folder of nvtx3/nvToolsExt.h, NVTX v3's header, of the CUDA toolkit; false where there is
# none. For tests and samples of stint/annotate.h, and to compare
# src/library/nvtx/abi.h with it.
find_path(
    STINT_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS}
    PATHS /usr/local/cuda/include
    DOC "Where nvtx3/nvToolsExt.h is"
)
mark_as_advanced(STINT_NVTX_INCLUDE_DIR)
