/* A library that is unloaded while samples are taken. */
__attribute__((visibility("default"))) void plugin_call(void (*function)(unsigned), unsigned us);

void plugin_call(void (*function)(unsigned), unsigned us)
{
    static volatile unsigned s_calls;
    function(us);
    s_calls++;
}
