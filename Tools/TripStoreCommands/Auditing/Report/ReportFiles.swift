import Foundation
import TripFormats

/// The files of a report: one page, or where that would be too large an index, and beside it a page for each part.
struct ReportFiles {
    /// The most bytes of a file: browsers open it at once, and mail takes it.
    static let mostBytes = 2_000_000

    /// The path of the report as it was given.
    let path: String
    let force: Bool
    private let file: TextFile

    /// Throws if the file cannot be written there: an existing file must not be replaced, or there is no folder.
    init(path: String, force: Bool) throws {
        self.path = path
        self.force = force
        file = try TextFile(path: path, replacing: ReportPage.start(), kind: "report", force: force)
    }

    /// The name of the file with the index.
    var name: String { (path as NSString).lastPathComponent }

    /// The name of a part's file, as in `log-2.html`.
    func name(ofPart number: Int) -> String {
        let (stem, ending) = ((name as NSString).deletingPathExtension, (name as NSString).pathExtension)
        return "\(stem)-\(number)" + (ending.isEmpty ? "" : ".\(ending)")
    }

    /// A part's file beside the index.
    private func path(ofPart number: Int) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? name(ofPart: number) : (folder as NSString).appendingPathComponent(name(ofPart: number))
    }

    /// Writes a part, and returns its size in bytes.
    func write(_ page: String, part number: Int) throws -> Int {
        try TextFile(
            path: path(ofPart: number), replacing: ReportPage.start(partOf: name), kind: "part of this report",
            force: force
        ).write(page)
    }

    /// Writes the page with all of the log, or the index, once its parts are there, and removes parts of an earlier report that had more.
    func write(_ page: String, parts: Int) throws -> Int {
        let bytes = try file.write(page)
        let start = Data(ReportPage.start(partOf: name).utf8)
        for number in (parts + 1)... {
            let path = path(ofPart: number)
            guard let file = FileHandle(forReadingAtPath: path) else { break }
            let isPart = try? file.read(upToCount: start.count) == start
            try file.close()
            guard isPart == true else { break }
            try FileManager.default.removeItem(atPath: path)
        }
        return bytes
    }

    /// The next part of a log, and its page, which a closure makes, of at most `mostBytes` bytes.
    static func next(
        of reader: inout ReportReader, _ page: (ReportLog, inout ReportReader) throws -> String
    ) throws -> (log: ReportLog, page: String) {
        // Style and script take a part, and what is looked up for a page is not known before.
        var most = mostBytes * 4 / 5
        while true {
            let saved = reader
            let log = try reader.next(atMost: most)
            let text = try page(log, &reader)
            // A single change always fits: long values are cut.
            if text.utf8.count <= mostBytes || most < 1_000 { return (log, text) }
            reader = saved
            most /= 2
        }
    }
}
