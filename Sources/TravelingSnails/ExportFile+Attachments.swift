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
