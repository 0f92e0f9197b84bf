/* A library that may be preloaded and does nothing. */
int InitializeInjection(void);

__attribute__((visibility("default"))) int InitializeInjection(void)
{
    return 1;
}
