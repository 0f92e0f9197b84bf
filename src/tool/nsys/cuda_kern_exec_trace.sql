-- Every launch: the call, the wait in the queue, the kernel
-- needs events calls kernels
.read launches.sql
SELECT api_start AS "API Start:ts_ns", api_ns AS "API Dur:dur_ns:9",
    CASE WHEN queue_ns THEN api_end END AS "Queue Start:ts_ns:1", queue_ns AS "Queue Dur:dur_ns:10",
    start AS "Kernel Start:ts_ns:2", ns AS "Kernel Dur:dur_ns", total_ns AS "Total Dur:dur_ns:11", pid AS "PID:id:5",
    tid AS "TID:id:6", deviceId AS "DevId:id:7", api AS "API Function:text:8",
    printf('%4d %4d %4d', gridX, gridY, gridZ) AS "GridXYZ:text:4",
    printf('%4d %4d %4d', blockX, blockY, blockZ) AS "BlockXYZ:text:3", name AS "Kernel Name:name",
    total_ns AS "total:rest"
FROM report_launches
ORDER BY id
