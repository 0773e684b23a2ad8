#if Hub
    public import CoreMetrics
    public import Foundation
    public import LogExchange
    import Synchronization

    /// The gauges of a hub, measured when `update()` is called: the disk, the process, waiting bytes, open journals and
    /// connections to a database.
    public final class HubGauges: Sendable {
        private let folder: URL
        private let health: HubHealth
        private let memory: SessionMemory?
        private let openJournals: (@Sendable () async -> Int)?
        private let databaseConnections: (@Sendable () -> (inUse: Int, most: Int))?
        private let factory: any MetricsFactory
        private let cpu: FloatingPointCounter
        private let countedCPU = Mutex(0.0)

        /// `folder` is where journals are kept. `openJournals` counts those that are open, `databaseConnections` connections to a
        /// database.
        public init(
            _ folder: URL, health: HubHealth, memory: SessionMemory? = nil,
            openJournals: (@Sendable () async -> Int)? = nil,
            databaseConnections: (@Sendable () -> (inUse: Int, most: Int))? = nil,
            factory: any MetricsFactory = MetricsSystem.factory
        ) {
            self.folder = folder
            self.health = health
            self.memory = memory
            self.openJournals = openJournals
            self.databaseConnections = databaseConnections
            self.factory = factory
            cpu = FloatingPointCounter(label: "process.cpu.seconds", factory: factory)
        }

        /// Measures, and sets the metrics.
        public func update() async {
            set("tripstore.hub.serving", health.isServing ? 1 : 0)
            if let memory {
                set("tripstore.hub.waiting.bytes", Double(memory.held))
                set("tripstore.hub.waiting.bytes.limit", Double(memory.most))
            }
            if let openJournals { set("tripstore.hub.journals.open", Double(await openJournals())) }
            if let connections = databaseConnections?() {
                set("tripstore.hub.database.connections", Double(connections.inUse))
                set("tripstore.hub.database.connections.limit", Double(connections.most))
            }
            if let free = FreeSpace.bytes(at: folder) { set("tripstore.hub.disk.free.bytes", Double(free)) }
            guard let process = ProcessUse.current else { return }
            set("process.resident.memory.bytes", process.residentBytes)
            set("process.virtual.memory.bytes", process.virtualBytes)
            set("process.open.fds", process.openFiles)
            let more = countedCPU.withLock { counted in
                defer { counted = process.cpuSeconds }
                return process.cpuSeconds - counted
            }
            cpu.increment(by: more)
        }

        private func set(_ label: String, _ value: Double) { Meter(label: label, factory: factory).set(value) }
    }

    enum FreeSpace {
        /// Bytes that this process may still write to the file system of a folder; nil if that is unknown.
        static func bytes(at folder: URL) -> Int64? {
            var status = statvfs()
            guard statvfs(folder.path, &status) == 0 else { return nil }
            let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
            return overflow ? .max : Int64(clamping: bytes)
        }
    }

    /// What this process uses, where the system says it in `/proc`, as Linux does.
    struct ProcessUse {
        let residentBytes, virtualBytes, openFiles, cpuSeconds: Double

        static var current: ProcessUse? {
            guard let memory = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
                let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            else { return nil }
            let pages = memory.split(separator: " ").compactMap { Double($0) }
            guard pages.count > 1 else { return nil }
            let page = Double(sysconf(Int32(_SC_PAGESIZE)))
            // The program's name, in parentheses, may hold anything.
            guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
                let end = stat.lastIndex(of: ")")
            else { return nil }
            let fields = stat[end...].split(separator: " ")
            guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return nil }
            return ProcessUse(
                residentBytes: pages[1] * page, virtualBytes: pages[0] * page, openFiles: Double(files.count),
                cpuSeconds: (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
        }
    }
#endif
