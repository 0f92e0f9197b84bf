-- Unified memory in all: bytes moved, page faults
-- needs unified
.read faults.sql
WITH
totals AS (
    SELECT total(CASE WHEN kind = 'unified' AND direction = 1 THEN bytes END) AS htod,
        total(CASE WHEN kind = 'unified' AND direction = 2 THEN bytes END) AS dtoh,
        add_up(CASE WHEN kind = 'fault' AND name LIKE '%CPU%' THEN bytes ELSE 0 END) AS faults,
        add_up(CASE WHEN kind = 'fault' AND name LIKE '%GPU%' THEN bytes ELSE 0 END) AS device_faults,
        add_up(CASE WHEN kind = 'fault' OR direction IN (1, 2) THEN count ELSE 0 END) AS num,
        add_up(CASE WHEN kind = 'unified' THEN total_ns ELSE 0 END) AS ns, count(*) AS rows
    FROM stint_gpu_activities WHERE kind IN ('unified', 'fault')),
traced AS (
    SELECT count(*) AS num, coalesce(min(CASE WHEN address > 0 THEN address END), min(address)) AS least,
        coalesce(max(CASE WHEN address < 0 THEN address END), max(address)) AS greatest
    FROM report_unified WHERE address <> 0)
SELECT htod AS "Total HtoD Migration Size:mem_B", dtoh AS "Total DtoH Migration Size:mem_B",
    faults AS "Total CPU Page Faults::4", nullif(device_faults, 0) AS "Total GPU PageFaults::3",
    CASE WHEN traced.num = totals.num AND traced.num THEN printf('0x%X', least) END AS "Minimum Virtual Address:text:1",
    CASE WHEN traced.num = totals.num AND traced.num THEN printf('0x%X', greatest) END AS "Maximum Virtual Address:text:2",
    ns AS "total:rest"
FROM totals, traced WHERE totals.rows
