/// Why a dump could not be read, and where.
package struct DumpError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure, for code that decides what to do next.
    package enum Code: String, Sendable {
        /// The file cannot be opened or read.
        case unusableFile
        /// The file is something else.
        case notADump
        /// A later version wrote it.
        case newerVersion
        /// A line is no JSON, is not in UTF-8, or lacks what its type has.
        case malformedDump
        /// A line, or what it holds, is beyond a bound.
        case dumpTooLarge
        /// The file ends before its last line, or lacks lines.
        case cutOffDump
        /// The bytes of a commit are not those that were hashed and signed.
        case alteredDump
    }

    package let code: Code
    /// What is wrong, as the end of a sentence.
    package let what: String
    package let file: String
    /// From 1; nil if it is about the whole file.
    package let line: Int?
    /// In bytes from 1; nil if it is about the whole line.
    package let column: Int?

    package init(_ code: Code, _ what: String, file: String = "", line: Int? = nil, column: Int? = nil) {
        (self.code, self.what, self.file, self.line, self.column) = (code, what, file, line, column)
    }

    /// The same, of a line of a file.
    func located(in file: String, line: Int) -> DumpError {
        DumpError(code, what, file: file, line: self.line ?? line, column: column)
    }

    package var description: String {
        var place = file
        if let line { place += ", line \(line)" }
        if let column { place += ", column \(column)" }
        let advice =
            switch code {
            case .unusableFile: "Check the path and its permissions."
            case .notADump: "Give a file that holds a dump."
            case .newerVersion: "Use a newer version of the program."
            default: "Nothing of it was written; get the file again from where it came."
            }
        return "\(place): \(what). \(advice)"
    }
}
