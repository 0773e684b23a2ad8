/// Binary files by their first bytes.
enum BinaryKind {
    typealias Words = (what: String, advice: String)

    static let attach = "Attach it to a trip to keep it."

    static func words(_ bytes: [UInt8]) -> Words? {
        func begins(_ text: String, at index: Int = 0) -> Bool { bytes.dropFirst(index).starts(with: text.utf8) }
        if bytes.prefix(1_024).firstRange(of: Array("%PDF-".utf8)) != nil { return ("a PDF", attach + ask) }
        if begins("\u{89}PNG") || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return ("a picture (PNG)", attach) }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return ("a picture (JPEG)", attach) }
        if begins("GIF8") { return ("a picture (GIF)", attach) }
        if begins("RIFF"), begins("WEBP", at: 8) { return ("a picture (WebP)", attach) }
        if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            return ("a picture (TIFF)", attach)
        }
        if begins("ftyp", at: 4) {
            let isPicture = ["heic", "heix", "mif1", "avif"].contains { begins($0, at: 8) }
            return (isPicture ? "a picture (HEIC)" : "a film or a sound", attach)
        }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return ("compressed with gzip", "Unpack it with 'gunzip', and import what is in it.")
        }
        if begins("BZh") { return ("compressed with bzip2", "Unpack it with 'bunzip2', and import what is in it.") }
        if bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A]) {
            return ("compressed with xz", "Unpack it with 'unxz', and import what is in it.")
        }
        if begins("7z\u{BC}") || bytes.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) || begins("Rar!") {
            return ("an archive", "Unpack it, and import what is in it.")
        }
        if begins("SQLite format 3") {
            return ("a database of another program", "Export it there as a calendar, a table or a map.")
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            return (
                "an old document of Office or a message of Outlook",
                "Save its attachment or its table as .ics or .csv, and import that."
            )
        }
        if begins(".FIT", at: 8) { return ("a recording of a watch (FIT)", "Export it as GPX.") }
        if begins("TSBUNDLE") { return ("a bundle of a store", "Read it as a bundle.") }
        if begins("bplist00") {
            return ("a property list", "Save the calendar that it names as .ics, and import that.")
        }
        return nil
    }

    private static let ask = " Ask the sender for the calendar (.ics) that often comes with it."
}

/// ZIP archives by the names of the files in them.
struct ArchiveKind {
    private let names: String

    /// - Parameter end: the last bytes, which list the names.
    init(_ beginning: [UInt8], end: [UInt8]) {
        names = String(decoding: beginning.prefix(4_096) + end, as: UTF8.self)
    }

    var words: BinaryKind.Words {
        if names.contains("pass.json") {
            return ("a pass of a wallet (pkpass)", BinaryKind.attach)
        }
        if names.contains(".kml") {
            return (
                "a KMZ, which is a ZIP archive with a map",
                "Unpack it with 'unzip', and import the .kml in it, which is mostly called doc.kml."
            )
        }
        if names.contains("xl/") {
            return ("a spreadsheet of Excel", "Save it as CSV, and import that with a mapping.")
        }
        if names.contains("opendocument.spreadsheet") {
            return ("a spreadsheet", "Save it as CSV, and import that with a mapping.")
        }
        if names.contains("word/") || names.contains("opendocument") || names.contains("ppt/") {
            return ("a document of an office program", BinaryKind.attach)
        }
        return ("a ZIP archive", "Unpack it with 'unzip', and import what is in it.")
    }
}

/// Text of other kinds, by its first line.
enum TextKind {
    private static let headers = [
        "RETURN-PATH:", "RECEIVED:", "DELIVERED-TO:", "MIME-VERSION:", "MESSAGE-ID:", "FROM:", "X-RECEIVED:",
        "CONTENT-TYPE:", "DATE:", "SUBJECT:", "TO:", "DKIM-SIGNATURE:", "ARC-SEAL:",
    ]

    static func words(_ first: String, _ text: Substring) -> BinaryKind.Words? {
        if first.hasPrefix("BEGIN:VCARD") {
            return ("a card of contacts (vCard)", "Add the people as travellers.")
        }
        if first.hasPrefix("{\\RTF") {
            return ("a document (RTF)", BinaryKind.attach)
        }
        let isMessage = first.hasPrefix("FROM ") && first.contains("@") || headers.contains { first.hasPrefix($0) }
        guard isMessage, text.contains(/(?i)\n(?:from|to|subject|date|received|mime-version):/) else { return nil }
        return (
            "a message of e-mail",
            "Save its attachment, a calendar (.ics) or a table (.csv), and import that."
        )
    }
}
