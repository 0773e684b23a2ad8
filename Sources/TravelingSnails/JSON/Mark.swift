/// A place in the file without its path: enough for a reader to return there, and free to take.
struct Mark: Sendable, Hashable {
    /// The bytes before it.
    var offset: Int64
    /// The line it is on.
    var line: Int
    /// The bytes before the first of its line.
    var lineStart: Int64

    static let startOfFile = Mark(offset: 0, line: 1, lineStart: 0)

    /// The place of this mark, given its path.
    func place(_ path: String) -> Place {
        Place(path: path, line: line, column: Int(offset - lineStart) + 1, offset: offset)
    }
}
