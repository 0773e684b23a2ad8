import Foundation
import Platform
import TripStore

/// What commands take where an option is not given: of the environment, else of a file.
struct Configuration: Sendable {
    /// What can be configured.
    enum Setting: String, CaseIterable, Sendable {
        case store, author, timeZone, currency

        var variable: String {
            switch self {
            case .store: "TRIPSTORE"
            case .author: "TRIPSTORE_AUTHOR"
            case .timeZone: "TRIPSTORE_TIME_ZONE"
            case .currency: "TRIPSTORE_CURRENCY"
            }
        }

        /// As on the command line.
        var word: String { self == .timeZone ? "time-zone" : rawValue }

        var help: String {
            switch self {
            case .store: "the folder of the store"
            case .author: "in whose name is written"
            case .timeZone: "the zone of times without one, as Europe/Lisbon"
            case .currency: "the currency of costs without one, as EUR"
            }
        }
    }

    /// Where a value comes from.
    enum Source: Sendable, Equatable {
        case environment(String)
        case file(String)
    }

    private(set) var values: [Setting: (text: String, source: Source)] = [:]
    /// Where the file is, or would be; nil where no home is known.
    let file: String?

    /// The configuration of the command that runs. Throws `CommandError` if the file cannot be read, or a value is none.
    static func current() throws -> Configuration { try Configuration(environment: Console.current.environment) }

    /// The zone by which days such as today are meant: the configured one, or else that of this device.
    static func zone() throws -> TimeZone {
        try current()[.timeZone].flatMap { TimeZone(identifier: $0) } ?? Console.current.timeZone
    }

    /// Empty values count as none.
    init(environment: [String: String]) throws {
        file = Self.file(environment)
        if let file {
            for (setting, text) in try Self.read(file) { values[setting] = (text, .file(file)) }
        }
        for setting in Setting.allCases {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            values[setting] = (text, .environment(setting.variable))
        }
        for (setting, value) in values {
            guard let fault = Self.fault(of: value.text, for: setting) else { continue }
            let place =
                switch value.source {
                case .environment(let name): "The environment variable \(name)"
                case .file(let path): "'\(setting.word)' in \(path)"
                }
            throw CommandError("\(place) says '\(value.text)'. \(fault)", code: "configuration")
        }
    }

    subscript(_ setting: Setting) -> String? { values[setting]?.text }

    /// What is wrong with a value, and what would be right; nil if nothing is.
    static func fault(of text: String, for setting: Setting) -> String? {
        switch setting {
        case .store, .author: nil
        case .timeZone:
            Moment(milliseconds: 0, zone: text).timeZone == nil
                ? "That is no zone that is known here: give an IANA name, as in Europe/Lisbon." : nil
        case .currency: Currency(text) == nil ? "That is no currency: give a code of ISO 4217, as in EUR." : nil
        }
    }

    // MARK: The file

    private static func file(_ environment: [String: String]) -> String? {
        if let named = environment["TRIPSTORE_CONFIG"], !named.isEmpty { return named }
        if let folder = environment["XDG_CONFIG_HOME"], !folder.isEmpty { return folder + "/tripstore/config.json" }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config/tripstore/config.json" }
    }

    /// What a file says; nothing if there is none. Settings of later versions are passed over.
    private static func read(_ file: String) throws -> [Setting: String] {
        guard FileManager.default.fileExists(atPath: file) else { return [:] }
        guard let data = FileManager.default.contents(atPath: file),
            let object = try? JSONDecoder().decode([String: String].self, from: data)
        else {
            throw CommandError(
                "The configuration \(file) is no JSON object of texts, or cannot be read. Mend it, or remove it and set again what "
                    + "it said with 'tripstore config'.", code: "configuration")
        }
        var found: [Setting: String] = [:]
        for (name, text) in object where !text.isEmpty {
            if let setting = Setting(rawValue: name) { found[setting] = text }
        }
        return found
    }

    /// Writes a setting to the file, or takes it out. The rest of the file stays.
    static func write(_ text: String?, for setting: Setting, environment: [String: String]) throws -> String {
        guard let file = file(environment) else {
            throw CommandError(
                "There is no place for the configuration: neither TRIPSTORE_CONFIG, XDG_CONFIG_HOME nor HOME is set.",
                code: "configuration")
        }
        _ = try read(file)
        let data = FileManager.default.contents(atPath: file)
        var object = try data.map { try JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
        object[setting.rawValue] = text
        let members = object.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        do {
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            // A link, as to a file under version control, stays one.
            let output = try OutputFile(at: OutputDestination(file, replacing: .anyFile), isPrivate: false)
            defer { output.discard() }
            try output.write(Array((JSON.object(members).text + "\n").utf8))
            try output.finish()
        } catch {
            throw CommandError(
                "The configuration \(file) could not be written: \(error.systemText) Check the folder.",
                code: "configuration")
        }
        return file
    }
}
