import Foundation
import LMDB
import Platform

/// The content of a folder before recording.
struct FolderContents: Sendable {
    struct Item: Sendable {
        /// Relative to the folder; a folder comes before its content.
        let path: String
        /// The existing file.
        let present: FileOrigin
        /// The file that it stands for.
        let recorded: FileOrigin
        /// Nil for a folder.
        let contents: [UInt8]?
    }

    let root: FileOrigin
    private(set) var items: [Item] = []

    init(of path: String, marks: FileOrigins = FileOrigins()) throws {
        guard let root = FileOrigin(path: path) else { throw FaultTestingError("There is no folder \(path).") }
        self.root = root
        try add(path, "", marks)
    }

    private mutating func add(_ path: String, _ prefix: String, _ marks: FileOrigins) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            let inside = path + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: inside, isDirectory: &isFolder),
                let mark = FileOrigin(path: inside)
            else { continue }
            let contents = isFolder.boolValue ? nil : [UInt8](try Data(contentsOf: URL(fileURLWithPath: inside)))
            items.append(
                Item(path: prefix + name, present: mark, recorded: marks.recorded(mark), contents: contents))
            if isFolder.boolValue { try add(inside, "\(prefix)\(name)/", marks) }
        }
    }
}
