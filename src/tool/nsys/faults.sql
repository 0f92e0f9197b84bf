-- Moves of unified memory between a device and the host, and page faults. Kinds of faults differ by name
-- only.
CREATE TEMP VIEW report_unified AS
SELECT virtualAddress AS address, CASE WHEN copyKind = 11 THEN bytes ELSE 0 END AS htod,
    CASE WHEN copyKind = 12 THEN bytes ELSE 0 END AS dtoh, 0 AS faults, 0 AS device_faults, "end" - start AS ns
FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind IN (11, 12)
UNION ALL
SELECT virtualAddress, 0, 0, CASE WHEN s.value LIKE '%CPU%' THEN bytes ELSE 0 END,
    CASE WHEN s.value LIKE '%GPU%' THEN bytes ELSE 0 END, 0
FROM stint_device_events e JOIN StringIds s ON s.id = e.nameId WHERE e.kind = 6;
