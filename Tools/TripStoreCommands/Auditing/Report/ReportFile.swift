import Foundation

/// A file that is there whole or not at all: it is written beside its place and then moved there.
struct ReportFile {
    private let target: URL
    private let path: String
    private let replaces: Bool

    init(path: String, replaces: Bool) {
        self.path = path
        self.replaces = replaces
        target = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    }

    /// Throws if the file cannot come to its place: it is there already, or its folder is not.
    func check() throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder) {
            if isFolder.boolValue { throw CommandError("\(path) is a folder. Name a file in it.") }
            if !replaces { throw isThere }
        }
        let folder = target.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandError("There is no folder \(folder). Make it, or choose another place.")
        }
    }

    /// Writes the text, and answers how many bytes it has.
    func write(_ text: String) throws -> Int {
        let bytes = Data(text.utf8)
        let temporary = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        do {
            try bytes.write(to: temporary, options: .withoutOverwriting)
            let handle = try FileHandle(forWritingTo: temporary)
            try handle.synchronize()
            try handle.close()
        } catch {
            throw CommandError(
                "\(path) could not be written: \(error.localizedDescription) Check the folder and its disk.")
        }
        try move(temporary)
        return bytes.count
    }

    private func move(_ temporary: URL) throws {
        // A link is made only where nothing is, so that no file is lost which came there meanwhile.
        let done = replaces ? rename(temporary.path, target.path) : link(temporary.path, target.path)
        guard done != 0 else { return }
        if errno == EEXIST && !replaces { throw isThere }
        throw CommandError("\(path) could not be put in its place: \(String(cString: strerror(errno))).")
    }

    private var isThere: CommandError {
        CommandError("\(path) is there already. Choose another name, or replace it with --force.")
    }
}
