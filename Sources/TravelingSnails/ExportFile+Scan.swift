extension ExportFile {
    /// The first pass: checks that the whole file is well-formed JSON and such an export, and returns what stands
    /// outside the trips.
    ///
    /// An export is an object with an object `exportInfo` and a list `trips`. Its `format` must be `json` and the major
    /// of its `version` 1, if they are present. Takes time in proportion to the file.
    /// - Parameter progress: called after every chunk with the bytes read and the size of the file.
    /// - Throws: ``ExportError`` with the place of the first fault; without one for a file that cannot be read.
    public func scan(
        progress: ((_ bytesRead: Int64, _ total: Int64) -> Void)? = nil
    ) throws(ExportError) -> ExportSummary {
        let input = try InputFile(path: path)
        var reader = try JSONReader(input, limits: limits, progress: progress)
        try enterRoot(&reader)
        var decoder = SummaryDecoder()
        try decoder.read(&reader)
        try reader.expectEnd()
        try input.check(is: input.identity)
        let (summary, trips, attachments) = try decoder.finish(reader.repetitions)
        findings.value = Finding(trips: trips, attachments: attachments, identity: input.identity)
        return summary
    }

    /// Enters the object that the root must be.
    private func enterRoot(_ reader: inout JSONReader) throws(ExportError) {
        try reader.skipByteOrderMark()
        while try reader.skipSpace() {
            guard try reader.fill() else {
                throw ExportError(
                    .empty, "\(path) is empty. Give a file that the app exported as JSON.", at: reader.place)
            }
        }
        let first = reader.buffer[reader.position]
        if first == UInt8(ascii: "{") { return try reader.beginObject() }
        let place = reader.place
        // A list cannot be anything else; a scalar may be the first word of a CSV.
        if first == UInt8(ascii: "[") {
            throw SummaryDecoder.notAnExport("its root is a list, not an object", at: place)
        }
        guard let kind = try? wholeValue(&reader) else { throw notJSON(first, at: place) }
        throw SummaryDecoder.notAnExport("its root is \(kind.name), not an object", at: place)
    }

    private func wholeValue(_ reader: inout JSONReader) throws(ExportError) -> ValueKind {
        let kind = try reader.valueKind()
        try reader.skipValue()
        try reader.expectEnd()
        return kind
    }

    private func notJSON(_ first: UInt8, at place: Place) -> ExportError {
        let isUTF16 = first == 0xFE || first == 0xFF
        let guess = isUTF16 ? "it looks like text in UTF-16" : "an export begins with {"
        return ExportError(
            .notJSON,
            "\(path) is not JSON: \(guess), at \(place). Export as JSON; the app's CSV is for people, and cannot be read.",
            at: place)
    }
}
