extension ExportFile {
    /// The second pass: passes every usable trip to `body`, in file order. Trips that cannot be used are in
    /// ``ExportSummary/problems``.
    ///
    /// A file that this value, or a copy of it, has not scanned is scanned first, so that no trip of a bad file reaches
    /// `body`. A file that changes after its scan is an error; as that may be found only at the end, the caller must
    /// drop what it received when this throws.
    /// - Parameters:
    ///   - progress: called after every chunk with the bytes of the file that have been passed and its size.
    ///   - body: called with each trip; its error ends the pass and is rethrown.
    /// - Throws: ``ExportError``, or what `body` throws.
    public func forEachTrip(
        progress: ((_ bytesRead: Int64, _ total: Int64) -> Void)? = nil, _ body: (ExportedTrip) throws -> Void
    ) throws {
        if findings.value == nil { _ = try scan() }
        guard let finding = findings.value else { return }
        let input = try InputFile(path: path)
        try input.check(is: finding.identity)
        var reader = try JSONReader(input, from: finding.trips, limits: limits, progress: progress)
        _ = try reader.peek()
        try reader.enterFromRoot(.trips)
        while let decoded = try reader.nextTrip() {
            if case .good(let trip) = decoded { try body(trip) }
        }
        try input.check(is: finding.identity)
        progress?(input.identity.size, input.identity.size)
    }
}
