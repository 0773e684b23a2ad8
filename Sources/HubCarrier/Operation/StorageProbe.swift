#if Hub
    public import Foundation
    public import LogExchange
    public import Logging
    internal import NIOPosix
    public import ServiceLifecycle

    /// Finds out whether a hub's folder can be written, again and again, and sets the hub's health by that: a file is written, brought to
    /// the medium and removed, and the free space is compared with a bound.
    public final class StorageProbe: Service {
        /// The name under which faults are set.
        static let source = "storage"

        private let folder: URL
        private let leastFree: Int64
        private let health: HubHealth
        private let log: Logger
        private let repeated: RepeatedCheck

        /// `leastFree` are the bytes below which the hub says that it does not serve.
        public init(
            _ folder: URL, leastFree: Int64 = 64 << 20, every interval: Duration = .seconds(10), health: HubHealth,
            dependencies: SessionDependencies = .system, log: Logger = Logger(label: "tripstore.hub")
        ) {
            self.folder = folder
            self.leastFree = leastFree
            self.health = health
            repeated = RepeatedCheck(every: interval, dependencies: dependencies)
            self.log = log
        }

        /// Something could not be stored: looks at the folder soon. Returns at once.
        public func look() { repeated.soon() }

        /// Looks at the folder now.
        public func check() async {
            let fault: String?
            do {
                fault = try await NIOThreadPool.singleton.runIfActive { [folder, leastFree] in
                    Self.fault(of: folder, leastFree: leastFree)
                }
            } catch {
                // The process ends.
                return
            }
            guard health.set(fault, of: Self.source) else { return }
            if let fault {
                log.error("the hub cannot store anything", metadata: ["reason": "\(fault)"])
            } else {
                log.notice("the hub can store again")
            }
        }

        public func run() async throws { await repeated.run { await self.check() } }

        /// Why nothing can be stored, in a sentence; nil if it can.
        private static func fault(of folder: URL, leastFree: Int64) -> String? {
            if let free = FreeSpace.bytes(at: folder), free < leastFree {
                return "The disk has \(free) free bytes, and \(leastFree) are the least."
            }
            // As many hubs as there are may look at once.
            let file = folder.appendingPathComponent(".hub-probe-\(UUID().uuidString)").path
            let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return words(errno) }
            defer {
                close(descriptor)
                unlink(file)
            }
            let block = [UInt8](repeating: 0, count: 4096)
            guard write(descriptor, block, block.count) == block.count, fsync(descriptor) == 0 else {
                return words(errno)
            }
            return nil
        }

        private static func words(_ error: Int32) -> String {
            "The hub's folder cannot be written: \(String(cString: strerror(error)))."
        }
    }
#endif
