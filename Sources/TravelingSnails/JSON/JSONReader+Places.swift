extension JSONReader {
    /// The most bytes of a path in messages.
    private static let longestPath = 200

    /// The place of the next byte.
    var place: Place { mark.place(path) }

    /// The path of the value that is being read.
    @inline(never)
    var path: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        for (index, frame) in outer.enumerated() {
            let next = index + 1 < outer.count ? outer[index + 1] : top
            append(frame, keyEnd: next.keyStart, to: &bytes)
        }
        append(top, keyEnd: unknownKeys.count, to: &bytes)
        // A deep path is cut in its middle. It, and an unknown key, may be cut inside a character, which is then replaced.
        guard bytes.count <= Self.longestPath else {
            let (start, end) = (bytes.prefix(Self.longestPath / 2), bytes.suffix(Self.longestPath / 2))
            return "\(String(decoding: start, as: UTF8.self))…\(String(decoding: end, as: UTF8.self))"
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ frame: Frame, keyEnd: Int, to bytes: inout [UInt8]) {
        switch frame.kind {
        case .outside: return
        case .list:
            guard frame.index >= 0 else { return }
            bytes.append(UInt8(ascii: "["))
            bytes.append(contentsOf: String(frame.index).utf8)
            bytes.append(UInt8(ascii: "]"))
        case .object:
            guard frame.key != .none else { return }
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ".")) }
            if frame.key == .unknown {
                bytes.append(contentsOf: unknownKeys[frame.keyStart..<keyEnd].lazy.map { max($0, UInt8(ascii: " ")) })
            } else {
                bytes.append(contentsOf: frame.key.rawValue.utf8)
            }
        }
    }

    /// The error for a file that breaks a rule of JSON at the next byte.
    @inline(never)
    func malformed(_ rule: String) -> ExportError {
        error(.malformed, "The file is not well-formed JSON: \(rule)", "Export it again, or mend it there")
    }

    /// The error for a file that ends here.
    @inline(never)
    func truncated() -> ExportError {
        error(.truncated, "The file is cut off: it ends before its JSON does", "Export or copy it again")
    }

    /// The error for a kept token that is too long, at its beginning: where it is detected depends on how much of the
    /// file is buffered.
    func tokenTooLong() -> ExportError {
        let start = Mark(offset: bufferOffset + Int64(max(0, tokenStart)), line: line, lineStart: lineStart)
        return error(
            .tooLarge, "A text is longer than \(limits.longestToken) bytes", "Shorten it there", at: start.place(path))
    }

    /// The error for the kept token: beyond the limit no other error counts.
    func tokenFailure(_ error: ExportError) -> ExportError {
        position - tokenStart > limits.longestToken ? tokenTooLong() : error
    }

    /// Counts a record or an id that cannot be used. Throws if there are too many of them to keep.
    mutating func noteProblem(at place: Place) throws(ExportError) {
        problemCount += 1
        guard problemCount > limits.mostProblems else { return }
        throw error(
            .tooLarge,
            "More than \(limits.mostProblems) records or listed ids of the file cannot be used: the limit is passed",
            "Export it again, or mend it there", at: place)
    }

    /// An error at the next byte.
    func error(_ code: ExportError.Code, _ what: String, _ advice: String) -> ExportError {
        error(code, what, advice, at: place)
    }

    private func error(
        _ code: ExportError.Code, _ what: String, _ advice: String, at place: Place
    ) -> ExportError {
        let column = place.path.isEmpty ? "" : ", column \(place.column)"
        return ExportError(code, "\(what), at \(place)\(column), byte \(place.offset). \(advice).", at: place)
    }
}
