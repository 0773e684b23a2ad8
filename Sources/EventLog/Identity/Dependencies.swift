import Dispatch
import Foundation
import LMDB
public import Platform

/// A log's dependencies on the outside world: time, randomness, and the identity of files. Tests inject their own.
public struct Dependencies: Sendable {
    /// Milliseconds since 1970, UTC; negative before.
    public var now: @Sendable () -> Int64
    /// That many unpredictable bytes.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// The 32 bytes of a new replica's private key; nil for one from the system, which is right everywhere but in a
    /// simulation.
    public var newKey: @Sendable () -> [UInt8]?
    /// The identity of the file at a path, which a copy does not share; nil if the file system has none.
    public var fileOrigin: @Sendable (String) -> FileOrigin?
    /// The home of a machine's user: a folder for records of replicas, which reveal a store that was restored to an
    /// earlier state; nil to keep none.
    ///
    /// It must not be restored or copied together with stores, and should last as long as they do.
    public var machineFolder: String?
    /// Runs a closure after some seconds, on any thread: for work that waits until the log is idle.
    public var whenIdle: @Sendable (@escaping @Sendable () -> Void) -> Void

    public init(
        now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        newKey: @escaping @Sendable () -> [UInt8]? = { nil },
        fileOrigin: @escaping @Sendable (String) -> FileOrigin? = { FileOrigin(path: $0) },
        machineFolder: String? = nil,
        whenIdle: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = Dependencies.afterSeconds
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.newKey = newKey
        self.fileOrigin = fileOrigin
        self.machineFolder = machineFolder
        self.whenIdle = whenIdle
    }

    /// After five seconds.
    public static let afterSeconds: @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 5, execute: body)
    }

    /// The salt of a commit.
    func salt() -> [UInt8] { randomBytes(CommitView.saltSize) }

    /// The system's clock and its cryptographic random source, and a folder of this user's on this machine.
    public static let system = Dependencies(
        now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        randomBytes: { count in
            var bytes = [UInt8](repeating: 0, count: count)
            // In one call, because each goes to the kernel.
            if bytes.withUnsafeMutableBytes({ System.fillRandomly($0) }) { return bytes }
            var generator = SystemRandomNumberGenerator()
            for index in bytes.indices { bytes[index] = generator.next() }
            return bytes
        },
        machineFolder: MachineFolder.path)
}
