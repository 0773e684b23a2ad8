import Foundation

/// A failure reported by the file system or by LMDB.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that decides what to do next.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The folder or file does not exist.
        public static let missing = Code(rawValue: "missing")
        /// The file exists and is no LMDB environment, or its structure is broken.
        public static let damaged = Code(rawValue: "damaged")
        /// The file's creation was cut off: nothing was ever stored in it, and opening it for writing creates it again.
        public static let unfinished = Code(rawValue: "unfinished")
        /// The process may not read or write here, or the medium is read-only.
        public static let notPermitted = Code(rawValue: "notPermitted")
        /// The medium has no room left.
        public static let diskFull = Code(rawValue: "diskFull")
        /// The map is full and could not be grown.
        public static let mapFull = Code(rawValue: "mapFull")
        /// The process may use no more memory, or no more addresses.
        public static let noMemory = Code(rawValue: "noMemory")
        /// Every reader slot is taken by a live process.
        public static let readersFull = Code(rawValue: "readersFull")
        /// The folder lies on a network file system, where memory maps and locks do not hold.
        public static let networkFileSystem = Code(rawValue: "networkFileSystem")
        /// This process has the environment open in a way that excludes this use.
        public static let alreadyOpen = Code(rawValue: "alreadyOpen")
        /// The process was forked after the environment was opened.
        public static let forked = Code(rawValue: "forked")
        /// A key is empty or longer than 511 bytes, or 510 where it is in a part.
        public static let badKey = Code(rawValue: "badKey")
        /// A read or write of the medium failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// It is not known whether the change was written: opening the environment again determines it.
        public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
        /// A read or a write was begun inside a read, or a write inside a write, of the same environment on the same thread.
        public static let nested = Code(rawValue: "nested")
        /// Two kinds of locks disagree on whether a process has the environment open.
        public static let locksLost = Code(rawValue: "locksLost")
        /// The environment is suspended: nothing was written, and the same is possible once it was resumed.
        public static let suspended = Code(rawValue: "suspended")
        /// A read, a write or other work that had to end first did not do so by the deadline.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The LMDB library's version has another file format.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// Anything else; the message says what.
        public static let other = Code(rawValue: "other")
    }

    public let code: Code
    /// One or two sentences: what was wrong, with the values, and what to do.
    public let message: String
    /// LMDB's or the system's error number; 0 if the check was our own.
    public let number: Int32

    public init(_ code: Code, _ message: String, number: Int32 = 0) {
        self.code = code
        self.message = message
        self.number = number
    }

    public var description: String { message }

    /// The refusal of a use of what lies at a path.
    package static func suspended(_ path: String) -> StorageError {
        StorageError(.suspended, "\(path) is suspended: nothing was done. Resume the store, and try again.")
    }

    /// Names the system's error number from `action` on the file or folder at `path`.
    package init(_ number: Int32, _ action: String, path: String) {
        let code: Code =
            switch number {
            case ENOENT: .missing
            case EACCES, EPERM, EROFS: .notPermitted
            case ENOSPC, EDQUOT: .diskFull
            case EIO: .inputOutput
            case ENOMEM: .noMemory
            default: .other
            }
        self.init(code, action, path: path, words: String(cString: strerror(number)), number: number)
    }

    /// Names the failure, with what to do about it.
    package init(_ code: Code, _ action: String, path: String, words: String, number: Int32) {
        self.init(code, "Could not \(action) \(path): \(words). \(Self.advice(for: code))", number: number)
    }

    private static func advice(for code: Code) -> String {
        switch code {
        case .missing: "Check the path."
        case .damaged: "The file is not intact; restore it from a replica or a backup."
        case .notPermitted: "Check that this user may read and write the folder and that the medium is not read-only."
        case .diskFull: "Free some room on the medium and try again; nothing was written."
        case .noMemory:
            "Raise the limit of this process ('ulimit -v' shows it), or close other programs; nothing was written."
        case .mapFull: "Open the environment with a larger map."
        case .readersFull: "Too many processes read this environment at once; close some."
        case .badKey: "Keys have 1 to 511 bytes, in parts 1 to 510."
        case .inputOutput: "The medium reported a fault; check it, then close and open the store again."
        default: "Nothing was written."
        }
    }
}
