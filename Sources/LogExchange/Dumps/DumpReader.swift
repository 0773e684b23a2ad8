import EventLog
import Events

/// Reads a dump line by line, and checks their order. Memory holds a line, or a segment.
final class DumpReader {
    let lines: DumpLines
    /// The members of commits that are not needed.
    private let passingOver: PassedOver
    private(set) var header: DumpHeader

    /// Opens a dump and reads its first line. Throws `DumpError`.
    init(_ path: String, passingOver: PassedOver) throws(DumpError) {
        lines = try DumpLines(path)
        self.passingOver = passingOver
        let first = try Self.first(of: lines)
        header = first
    }

    private static func first(of lines: DumpLines) throws(DumpError) -> DumpHeader {
        guard let line = try lines.next() else {
            throw DumpError(.notADump, "the file is empty", file: lines.path)
        }
        if line.starts(with: [0xEF, 0xBB, 0xBF]) || line.starts(with: [0xFE, 0xFF]) || line.starts(with: [0xFF, 0xFE]) {
            throw DumpError(
                .malformedDump, "the file begins with a byte order mark; a dump is UTF-8 without one", file: lines.path,
                line: 1, column: 1)
        }
        let object: DumpObject
        do { object = try DumpLineParser.object(line) } catch { throw error.located(in: lines.path, line: 1) }
        guard case .string("dump")? = object["type"]?.value, case .string("tripstore dump")? = object["format"]?.value
        else {
            throw DumpError(
                .notADump, "the first line is not that of a dump: {\"type\":\"dump\",\"format\":\"tripstore dump\",…}",
                file: lines.path, line: 1)
        }
        do { return try DumpHeader(object) } catch { throw error.located(in: lines.path, line: 1) }
    }

    /// The next record; nil at the end of the file.
    func next() throws(DumpError) -> DumpRecord? {
        guard let line = try lines.next() else { return nil }
        do { return try DumpRecord(line, passingOver: passingOver) } catch { throw located(error) }
    }

    /// The bytes of the commits of a segment, whose line was read.
    ///
    /// Throws `DumpError`, also if a commit's bytes are not what its line says.
    func segment(_ found: DumpedSegment) throws(DumpError) -> LineSegment {
        var commits: [[UInt8]] = []
        var hash = found.previous
        for index in 0..<found.count {
            guard let record = try next() else { throw cutOff() }
            guard case .commit(let object) = record else {
                throw fault(.malformedDump, "the segment has \(found.count) commits, and this is no line of one")
            }
            do {
                let bytes = try object.bytes("bytes", atMost: Self.mostCommitBytes)
                hash = try Self.checked(bytes, object, found, index, after: hash)
                commits.append(bytes)
            } catch { throw located(error) }
        }
        return found.segment(of: header.journal, commits)
    }

    /// As long as a segment may be, which the receiver of a commit bounds further.
    private static let mostCommitBytes = LineSegment.largestByteCount

    /// The hash of a commit, if the line says the same.
    private static func checked(
        _ bytes: [UInt8], _ object: DumpObject, _ segment: DumpedSegment, _ index: Int, after previous: Digest
    ) throws(DumpError) -> Digest {
        let column = object["bytes"]?.column
        let said = try CommitID(object)
        guard said.replica == segment.replica, said.sequence.rawValue == segment.first.rawValue + UInt64(index) else {
            throw DumpError(
                .malformedDump, "commit \(said.sequence) of replica \(said.replica) is not the next one of the segment",
                column: object["sequence"]?.column)
        }
        let found: Result<Digest, DumpError> = bytes.withUnsafeBytes { raw in
            let view: CommitView
            do { view = try CommitView(raw) } catch {
                return .failure(DumpError(.alteredDump, "the bytes are no commit: \(error)", column: column))
            }
            guard view.payloadMatches else {
                return .failure(
                    DumpError(.alteredDump, "the commit has another payload than its header names", column: column))
            }
            return .success(view.hash(after: previous))
        }
        let hash = try found.get()
        guard hash == said.hash else {
            throw DumpError(
                .alteredDump, "the commit's bytes have the hash \(hash), and its line says \(said.hash)", column: column
            )
        }
        return hash
    }

    func cutOff() -> DumpError {
        DumpError(
            .cutOffDump, "the file ends before its last line, which has the type \"end\": it was cut off",
            file: lines.path, line: lines.number + 1)
    }

    func fault(_ code: DumpError.Code, _ what: String, line: Int? = nil) -> DumpError {
        DumpError(code, what, file: lines.path, line: line ?? lines.number)
    }

    func located(_ error: DumpError) -> DumpError { error.located(in: lines.path, line: lines.number) }
}
