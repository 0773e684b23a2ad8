import Foundation

/// Reads `exportInfo`.
struct InfoDecoder {
    /// A text in the file, if any, and its place.
    private struct Given {
        var text: String
        var place: Place
    }

    private var version: Given?
    private var format: Given?
    private var timestamp: Date?
    private var exporter: Given?
    private var store: Given?
    private var faults = Faults()
    private var place: Place

    /// Reads the value of `exportInfo`; nil when it is no object.
    static func decode(_ reader: inout JSONReader) throws(ExportError) -> InfoDecoder? {
        guard try reader.valueKind() == .object else {
            try reader.skipValue()
            return nil
        }
        var decoder = InfoDecoder(place: reader.place)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case .version: decoder.version = try given(&reader)
            case .format: decoder.format = try given(&reader)
            case .exportedBy: decoder.exporter = try given(&reader)
            case .exportedFrom: decoder.store = try given(&reader)
            case .timestamp: decoder.timestamp = try reader.date(&decoder.faults)
            default: try reader.skipValue()
            }
        }
        return decoder
    }

    private init(place: Place) {
        self.place = place
    }

    /// An invalid time is no reason to refuse the file.
    var problems: [ExportProblem] {
        faults.isEmpty ? [] : [faults.problem(place, "the time of the export is left out")]
    }

    /// The file's own description; throws if it is of another format or version.
    func check() throws(ExportError) -> ExportInfo {
        if let format, format.text != "json" {
            throw SummaryDecoder.notAnExport("its format is \(format.text.excerpt()), not \"json\"", at: format.place)
        }
        if let version, Int(version.text.prefix { $0 != "." }) != 1 {
            let shown = version.text.excerpt()
            throw ExportError(
                .unsupportedVersion,
                "The export is of version \(shown), at \(version.place), and only versions 1.x can be read. "
                    + "Export it with a version of the app that writes 1.x, or use a newer reader.",
                at: version.place)
        }
        return ExportInfo(
            version: version?.text ?? "", timestamp: timestamp, exporter: exporter?.text,
            store: store.flatMap { UUID(uuidString: $0.text) })
    }

    /// A text, or a number as written; anything else but null reads as an empty text, which no check accepts.
    private static func given(_ reader: inout JSONReader) throws(ExportError) -> Given? {
        let kind = try reader.valueKind()
        let place = reader.place
        switch kind {
        case .text: return Given(text: reader.text(try reader.readStringToken()), place: place)
        case .number:
            let range = try reader.readNumberToken()
            return Given(text: String(decoding: reader.buffer[range], as: UTF8.self), place: place)
        case .null:
            try reader.skipValue()
            return nil
        default:
            try reader.skipValue()
            return Given(text: "", place: place)
        }
    }
}
