import Foundation
import TravelingSnails
import TripFormats

/// JSONTestSuite: names that begin with y must be read, those with n refused, those with i may be either.
enum JSONSuite {
    static func faults(_ path: String, _ bytes: [UInt8]) -> [(suite: String, fault: String?)] {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard let must = ["y": true, "n": false][name.prefix(1)] else {
            // A crash alone is wrong.
            _ = (faultOfExport(bytes), faultOfMapping(bytes))
            return [("JSONTestSuite, exports", nil), ("JSONTestSuite, mappings", nil)]
        }
        return [
            ("JSONTestSuite, exports", faultOfExport(bytes)), ("JSONTestSuite, mappings", faultOfMapping(bytes)),
        ].map { suite, refusal in
            switch (must, refusal) {
            case (true, let refusal?): (suite, "it must be read: \(refusal)")
            case (false, nil): (suite, "it must be refused")
            default: (suite, nil)
            }
        }
    }

    /// Why it is no JSON for the reader of exports; nil if it is. An export is an object, so that the file is a value in one.
    private static func faultOfExport(_ bytes: [UInt8]) -> String? {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("conform-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            let export = Array("{\"exportInfo\":{\"format\":\"json\"},\"trips\":[],\"case\":".utf8) + bytes + [0x7D]
            try Data(export).write(to: file)
            _ = try ExportFile(path: file.path).scan()
            return nil
        } catch {
            return "\(error)".replacing(file.path, with: "the file")
        }
    }

    /// Runs the suite against the reader of mappings.
    private static func faultOfMapping(_ bytes: [UInt8]) -> String? {
        do throws(TextFormatError) {
            _ = try TableMapping(json: bytes)
            return nil
        } catch {
            return error.code == .invalidMapping && !error.message.hasPrefix("It is no JSON: ") ? nil : error.message
        }
    }
}
