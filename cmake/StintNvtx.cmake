# STINT_NVTX_INCLUDE_DIR - the folder with nvtx3/nvToolsExt.h, NVTX v3's header in the CUDA toolkit; false if there is
# none. It is used by tests and samples of stint/annotate.h, and compared with src/parts/nvtx/abi.h.
find_path(
    STINT_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS}
    PATHS /usr/local/cuda/include
    DOC "Where nvtx3/nvToolsExt.h is"
)
mark_as_advanced(STINT_NVTX_INCLUDE_DIR)
