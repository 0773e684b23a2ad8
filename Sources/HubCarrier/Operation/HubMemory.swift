#if Hub
    internal import CPlatform
    public import LogExchange
    public import ServiceLifecycle

    /// Keeps the memory of a process small that is nothing but a hub.
    ///
    /// Freed memory goes back to the system at once where it is in one piece. While the process has 64 MiB more than the bound of its clients'
    /// memory, the rest goes back ten times a second, and what was read of the journals' files: it counts as the process's, and many journals
    /// together are large.
    public struct HubMemory: Service {
        private let most: Double
        private let journals: JournalFolder
        private let repeated: RepeatedCheck

        /// `most` is the bound of clients' memory, in bytes.
        public init(most: Int, journals: JournalFolder, dependencies: SessionDependencies = .system) {
            self.most = Double(most) + Double(64 << 20)
            self.journals = journals
            repeated = RepeatedCheck(every: .milliseconds(100), dependencies: dependencies)
        }

        /// To be called before the process has many threads.
        public static func giveBack() { tripstore_give_back_memory() }

        public func run() async throws {
            await repeated.run { [most, journals] in
                guard let process = ProcessUse.current, process.residentBytes > most else { return }
                tripstore_trim_memory()
                await journals.releasePages()
            }
        }
    }
#endif
