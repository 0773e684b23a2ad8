internal import CPlatform
import Foundation

/// Where a file is to be written, and what may be replaced there.
///
/// A path is followed through symbolic links of this user's and of the system's to its final target, which a link must have: in a folder
/// that others can write to, a link of theirs would have a file of this user's replaced, or made. Only a free name or a regular file is
/// accepted: folders, devices, pipes and sockets are refused without being opened, and so is every path in a store but of its own files.
package struct OutputDestination: Sendable {
    /// Which regular files may be replaced.
    package enum Replacing: Sendable {
        /// Those that begin with these bytes, and empty ones. `kind` names them in messages.
        case files(beginningWith: [UInt8], kind: String)
        /// All.
        case anyFile
        /// None.
        case nothing
    }

    /// More links than this are taken for a loop.
    private static let mostLinks = 40
    /// A folder with this file is a store.
    private static let markOfStore = "log/data.mdb"

    /// The path as given, for messages.
    let path: String
    /// The target's folder, without links.
    let folder: String
    /// The final path.
    let target: String
    /// The file there that may be replaced; nil if the path is free.
    let present: FileIdentity?
    /// Its permissions: a new file at its place has no others.
    let presentPermissions: UInt16?

    /// Throws `OutputError` if nothing can be written there, or the existing file must not be replaced.
    package init(_ path: String, replacing: Replacing) throws(OutputError) {
        self.path = path
        (folder, target) = try Self.follow(path)
        try Self.checkOutsideOfStores(folder, path)
        (present, presentPermissions) = try Self.file(at: target, path)
        guard present != nil else { return }
        switch replacing {
        case .anyFile: return
        case .files(let start, let kind):
            if Self.isEmptyOrBegins(target, with: start) { return }
            throw OutputError(.occupied, "\(path) is there already and no \(kind). Choose another name.")
        case .nothing: throw OutputError(.occupied, "\(path) is there already. Choose another name, or replace it.")
        }
    }

    /// A file of a store's own, by its name in the folder of the store. The regular file there is replaced; a link there is not followed, and
    /// refused like a device.
    package init(_ name: String, inStore folder: String) throws(OutputError) {
        let place = "\(folder)/\(name)"
        (path, target) = (place, place)
        self.folder = folder
        (present, presentPermissions) = try Self.file(at: place, place)
    }

    /// The folder and the path at the end of all links, none of which is the last.
    private static func follow(_ path: String) throws(OutputError) -> (folder: String, target: String) {
        var next = path
        for links in 0..<mostLinks {
            let (folder, name) = split(next)
            guard !name.isEmpty, name != ".", name != ".." else { throw .isFolder(path) }
            guard let real = try resolved(folder, path) else {
                throw OutputError(
                    .noFolder,
                    "\(path) could not be created: there is no folder \(folder). Make it, or choose another place.")
            }
            let place = real == "/" ? "/\(name)" : "\(real)/\(name)"
            guard let link = try ownLink(at: place, path) else {
                guard links == 0 || access(place, F_OK) == 0 else {
                    throw OutputError(
                        .noFile,
                        "\(path) is a symbolic link to \(place), which is not there. Remove the link, or name that.")
                }
                return (real, place)
            }
            // These stand for files that a process has open, and some of them lead to no path.
            guard !real.hasPrefix("/proc/"), !real.hasPrefix("/dev/fd") else { throw .isNoFile(path) }
            next = link.hasPrefix("/") ? link : "\(real)/\(link)"
        }
        throw OutputError(.noFolder, "\(path) is a symbolic link that leads in a circle. Choose another place.")
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// What a symbolic link leads to; nil if it is none. Throws if it belongs to neither this user nor the system.
    private static func ownLink(at place: String, _ path: String) throws(OutputError) -> String? {
        var status = stat()
        guard lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw OutputError(
                .foreignLink,
                "\(path) leads through \(place), a symbolic link of another user (\(status.st_uid)): it is not followed. Name the "
                    + "place that you mean.")
        }
        return try? FileManager.default.destinationOfSymbolicLink(atPath: place)
    }

    /// Checks the links on the way to a folder.
    private static func checkLinks(to folder: String, _ path: String) throws(OutputError) {
        var rest = folder.split(separator: "/").map(String.init)
        var place = folder.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
        var links = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            if name == "." { continue }
            if name == ".." {
                place = place.isEmpty ? "" : split(place).folder
                if place == "/" { place = "" }
                continue
            }
            guard let link = try ownLink(at: "\(place)/\(name)", path) else {
                place += "/\(name)"
                continue
            }
            links += 1
            guard links <= mostLinks else { return }
            if link.hasPrefix("/") { place = "" }
            rest = link.split(separator: "/").map(String.init) + rest
        }
    }

    /// The path of a folder without links; nil if there is none.
    private static func resolved(_ folder: String, _ path: String) throws(OutputError) -> String? {
        try checkLinks(to: folder, path)
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let real = realpath(folder, nil) else {
            return nil
        }
        defer { free(real) }
        return String(cString: real)
    }

    private static func checkOutsideOfStores(_ folder: String, _ path: String) throws(OutputError) {
        var folder = folder
        while true {
            if access("\(folder)/\(markOfStore)", F_OK) == 0 {
                throw OutputError(
                    .inStore,
                    "\(path) is in the store at \(folder), which holds nothing but its own files. Choose another place."
                )
            }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { return }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
    }

    /// The regular file at a path, and its permissions; nil if nothing is there.
    private static func file(at target: String, _ path: String) throws(OutputError) -> (FileIdentity?, UInt16?) {
        var status = stat()
        guard lstat(target, &status) == 0 else {
            if errno == ENOENT { return (nil, nil) }
            throw .system(errno, "created", path)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return (FileIdentity(path: target), UInt16(status.st_mode & 0o777))
        case S_IFDIR: throw .isFolder(path)
        default: throw .isNoFile(path)
        }
    }

    private static func isEmptyOrBegins(_ target: String, with start: [UInt8]) -> Bool {
        let descriptor = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        // An unreadable file cannot be shown to be replaceable.
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: start.count)
        let count = pread(descriptor, &bytes, start.count, 0)
        return count == 0 || count == start.count && bytes == start
    }

    /// Whether the path still holds what was found there.
    func isUnchanged() -> Bool {
        var status = stat()
        guard lstat(target, &status) == 0 else { return errno == ENOENT && present == nil }
        return present != nil && status.st_mode & S_IFMT == S_IFREG && FileIdentity(path: target) == present
    }
}

/// Why a file could not be written.
package struct OutputError: Error, CustomStringConvertible {
    package enum Code: Sendable {
        /// A file of another kind is there.
        case occupied
        /// The folder does not exist.
        case noFolder
        /// The path names a folder.
        case folder
        /// A device, a pipe or a socket is there, or a link to nothing.
        case noFile
        /// A symbolic link of another user is on the way.
        case foreignLink
        /// The path is in a store.
        case inStore
        /// The system refused.
        case system
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func isFolder(_ path: String) -> OutputError {
        OutputError(.folder, "\(path) is a folder. Name a file in it.")
    }

    static func isNoFile(_ path: String) -> OutputError {
        OutputError(
            .noFile,
            "\(path) is no regular file, but a device, a pipe or a socket: it is not replaced. Choose another place.")
    }

    static func system(_ number: Int32, _ what: String, _ path: String) -> OutputError {
        OutputError(
            .system,
            "\(path) could not be \(what): \(String(cString: strerror(number))). Check the folder, its permissions and the room "
                + "on the disk.")
    }
}
