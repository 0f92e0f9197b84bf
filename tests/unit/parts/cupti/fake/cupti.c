/* A library that stands for CUPTI, of the version VERSION, when functions are looked up in it. LACKS_FLUSH and IS_OLD
 * leave functions out. */
#include <stdint.h>

#define FUNCTION(name)                                                                                                 \
    int name(void);                                                                                                    \
    int name(void)                                                                                                     \
    {                                                                                                                  \
        return 0;                                                                                                      \
    }

FUNCTION(cuptiSubscribe)
FUNCTION(cuptiUnsubscribe)
FUNCTION(cuptiEnableCallback)
FUNCTION(cuptiEnableDomain)
FUNCTION(cuptiActivityEnable)
FUNCTION(cuptiActivityDisable)
FUNCTION(cuptiActivityRegisterCallbacks)
FUNCTION(cuptiActivityGetNextRecord)
FUNCTION(cuptiActivityGetNumDroppedRecords)
FUNCTION(cuptiActivitySetAttribute)
FUNCTION(cuptiActivityConfigureUnifiedMemoryCounter)
FUNCTION(cuptiGetTimestamp)
FUNCTION(cuptiGetResultString)
FUNCTION(cuptiGetCallbackName)
#ifndef LACKS_FLUSH
FUNCTION(cuptiActivityFlushAll)
#endif
#ifndef IS_OLD
FUNCTION(cuptiActivityFlushPeriod)
FUNCTION(cuptiSubscribe_v2)
#endif

int cuptiGetVersion(uint32_t *version);
int cuptiGetVersion(uint32_t *version)
{
    *version = VERSION;
    return 0;
}
