/* Stands for libcuda.so.1. The test sets what it says. */
extern int fake_driver_version;
int fake_driver_version;

int cuDriverGetVersion(int *version);
int cuDriverGetVersion(int *version)
{
    *version = fake_driver_version;
    return fake_driver_version ? 0 : 1;
}
