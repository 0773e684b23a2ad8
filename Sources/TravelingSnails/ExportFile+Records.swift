import Platform

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

extension ExportFile {
    /// The third pass: passes every usable attachment to `body`, in the order of the file, with what `store` made of its bytes, and the
    /// problem of every other to `problem`. Memory holds a few pieces of the file, whatever the size of the attachments.
    ///
    /// A file that was not scanned is scanned first.
    /// - Parameters:
    ///   - store: gets a function that returns the next bytes until it returns nil, which it must call to the end or let throw; what is no
    ///     base64 throws from there, and the attachment is then a problem.
    /// - Throws: ``ExportError``, or what `store` or `body` throw.
    public func forEachAttachment<Stored>(
        progress: ((_ bytesRead: Int64, _ total: Int64) -> Void)? = nil,
        store: (() throws -> [UInt8]?) throws -> Stored, problem: (ExportProblem) throws -> Void,
        body: (ExportedAttachment, Stored) throws -> Void
    ) throws {
        if findings.value == nil { _ = try scan() }
        guard let finding = findings.value, let list = finding.attachments else { return }
        let input = try InputFile(path: path)
        try input.check(is: finding.identity)
        var reader = try JSONReader(input, from: list, limits: limits, progress: progress)
        _ = try reader.peek()
        try reader.enterFromRoot(.attachments)
        while try reader.nextElement() {
            if let found = try reader.problemOfElement("An attachment", .attachment) {
                try problem(found)
                continue
            }
            switch try AttachmentDecoder.decode(&reader, store) {
            case .good((let attachment, let stored)): try body(attachment, stored)
            case .bad(let found):
                try reader.noteProblem(at: found.place)
                try problem(found)
            }
        }
        try input.check(is: finding.identity)
        progress?(input.identity.size, input.identity.size)
    }
}
