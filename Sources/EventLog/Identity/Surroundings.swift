import Dispatch
import Foundation
import LMDB
public import Platform

/// What a log takes from the outside world: the time, chance, and what tells a store from its copy. Tests bring their
/// own.
public struct Surroundings: Sendable {
    /// Milliseconds since 1970, UTC; negative before.
    public var now: @Sendable () -> Int64
    /// That many bytes that nobody can guess.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// The 32 bytes of a new replica's private key; nil for one from the system, which is what everybody but a simulation
    /// wants.
    public var newKey: @Sendable () -> [UInt8]?
    /// What tells the file at a path from a copy of it; nil if nothing does.
    public var fileOrigin: @Sendable (String) -> FileOrigin?
    /// The folder in which this machine keeps what it remembers of replicas, so that a store that was restored to an
    /// earlier state, or brought from another machine, is seen; nil to remember nothing.
    ///
    /// It must not be restored or copied together with stores, and must last as long as they do.
    public var machineFolder: String?
    /// Runs something after some seconds, on whatever thread: what is left for when nobody writes.
    public var afterRest: @Sendable (@escaping @Sendable () -> Void) -> Void

    public init(
        now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        newKey: @escaping @Sendable () -> [UInt8]? = { nil },
        fileOrigin: @escaping @Sendable (String) -> FileOrigin? = { FileOrigin(path: $0) },
        machineFolder: String? = nil,
        afterRest: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = Surroundings.afterSeconds
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.newKey = newKey
        self.fileOrigin = fileOrigin
        self.machineFolder = machineFolder
        self.afterRest = afterRest
    }

    /// After five seconds.
    public static let afterSeconds: @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 5, execute: body)
    }

    /// The salt of a commit.
    func salt() -> [UInt8] { randomBytes(CommitView.saltSize) }

    /// The system's clock and its cryptographic random source, and a folder of this user's on this machine.
    public static let system = Surroundings(
        now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        randomBytes: { count in
            var bytes = [UInt8](repeating: 0, count: count)
            // At once, for each call goes to the kernel.
            if bytes.withUnsafeMutableBytes({ Surroundings.fill($0) }) { return bytes }
            var generator = SystemRandomNumberGenerator()
            for index in bytes.indices { bytes[index] = generator.next() }
            return bytes
        },
        machineFolder: systemMachineFolder)

    /// Fills some memory from the system's cryptographic random source; answers whether it could.
    private static func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        #if canImport(Darwin)
            arc4random_buf(bytes.baseAddress, bytes.count)
            return true
        #else
            // It gives so many at most.
            return bytes.count <= 256 && getentropy(bytes.baseAddress, bytes.count) == 0
        #endif
    }

    /// `$XDG_STATE_HOME/tripstore`, by default `~/.local/state/tripstore`; on Apple platforms a folder of Application
    /// Support, which is left out of backups.
    private static var systemMachineFolder: String? {
        #if canImport(Darwin)
            guard
                var folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
                    .appendingPathComponent("TripStore.replicas")
            else { return nil }
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
            return folder.path
        #else
            let environment = ProcessInfo.processInfo.environment
            if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/tripstore" }
            guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return home + "/.local/state/tripstore"
        #endif
    }
}
