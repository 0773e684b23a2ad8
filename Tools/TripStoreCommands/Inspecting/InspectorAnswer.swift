import Foundation

/// The answers of the inspector's interface, version 1.
///
/// ```json
/// {"version":1,"exit":0,"position":1234,"rows":[…],"warnings":[…]}
/// {"version":1,"error":{"code":"unknownEntity","message":"…","hint":null,"position":null}}
/// ```
enum InspectorAnswer {
    static let version = 1
    static let type = "application/json; charset=utf-8"

    /// What a command printed.
    /// - Parameter writes: whether the command may write, so that a rule may have forbidden it.
    static func text(_ run: CommandRun, position: UInt64, writes: Bool = false) -> (status: Int, text: String) {
        guard !run.isTooLong else {
            return text(
                InspectorFault(
                    400, "tooLarge", "The answer has more than 32 MiB.",
                    hint: "Ask for less with 'limit', or for a part."))
        }
        if let fault = run.fault(writes: writes) {
            return (fault.status, "{\"version\":\(version),\"error\":\(fault.text)}")
        }
        let warnings = run.complaints.compactMap { line -> String? in
            let complaint = Complaint(line: line)
            // The last line says how many there were.
            if complaint?.warnings != nil { return nil }
            return JSON.string(complaint?.warning?.message ?? line).text
        }
        return (
            200,
            "{\"version\":\(version),\"exit\":\(run.code),\"position\":\(position),"
                + "\"rows\":[\(run.rows.joined(separator: ","))],\"warnings\":[\(warnings.joined(separator: ","))]}"
        )
    }

    static func text(_ fault: InspectorFault) -> (status: Int, text: String) {
        (fault.status, JSON.object([("version", .integer(version)), ("error", fault.json)]).text)
    }
}

/// A line that a command prints beside its output with `--json`.
private struct Complaint: Decodable {
    struct Fault: Decodable {
        let code: String
        let position: Int?
    }

    struct Warning: Decodable { let message: String }

    let error: Fault?
    let warning: Warning?
    let warnings: Int?

    init?(line: String) {
        guard let complaint = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = complaint
    }
}

extension CommandRun {
    /// Why the command failed; nil if it did not. `text` is the fault report as it was printed.
    fileprivate func fault(writes: Bool) -> (status: Int, text: String)? {
        guard code > ExitCodes.found else { return nil }
        for line in complaints.reversed() {
            guard let fault = Complaint(line: line)?.error else { continue }
            let report = line.dropFirst("{\"error\":".count).dropLast()
            return (status(of: fault, writes), String(report))
        }
        let words = complaints.last ?? "The command ended with code \(code)."
        return (500, InspectorFault(500, "failed", words).json.text)
    }

    private func status(of fault: Complaint.Fault, _ writes: Bool) -> Int {
        switch fault.code {
        case "usage", "ambiguous": 400
        case "unknownEntity", "deleted", "noStore", "missing", "unknownPosition": 404
        case "readOnly": 403
        case "damaged", "viewsDamaged", "notBuilt", "projectionFailed", "logLost", "closed", "failed", "other": 500
        case "inputOutput", "diskFull", "mapFull", "noMemory", "readersFull", "locksLost", "notPermitted": 500
        case "beingBuilt", "suspended", "alreadyOpen": 503
        default: writes && code != ExitCodes.usage ? 409 : 400
        }
    }

    private enum ExitCodes {
        static let found: Int32 = 1
        static let usage: Int32 = 64
    }
}
