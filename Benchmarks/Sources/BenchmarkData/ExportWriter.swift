public import Foundation
import TripStore

/// Writes the generator's trips as an export of Traveling Snails, pretty-printed as that app does.
public enum ExportWriter {
    /// Writes that many trips, without the generator's edits.
    public static func write(_ count: Int, to file: URL) throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        var generator = TripGenerator()
        var text = """
            {
              "exportInfo" : {
                "version" : "1.0",
                "timestamp" : "2027-01-01T00:00:00Z",
                "format" : "json",
                "includesAttachments" : false
              },
              "organizations" : [

            """
        text += generator.organizations.map(organization).joined(separator: ",\n")
        text += "\n  ],\n  \"addresses\" : [],\n  \"attachments\" : [],\n  \"trips\" : [\n"
        for number in 0..<count {
            let plan = generator.next().plan
            text += trip(plan) + (number + 1 < count ? ",\n" : "\n")
            if text.utf8.count > 1 << 20 {
                try handle.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        text += "  ]\n}\n"
        try handle.write(contentsOf: Data(text.utf8))
    }

    private static func organization(_ organization: Organization) -> String {
        """
            {
              "id" : "\(organization.id)",
              "name" : \(quoted(organization.name)),
              "phone" : \(quoted(organization.phone)),
              "email" : \(quoted(organization.email)),
              "website" : \(quoted(organization.website)),
              "logoURL" : "",
              "cachedLogoFilename" : "",
              "address" : null
            }
        """
    }

    private static func trip(_ plan: TripPlan) -> String {
        let trip = plan.trip
        let groups = [
            ("Transportation", plan.items.filter { $0.kind == .transportation }),
            ("Lodging", plan.items.filter { $0.kind == .lodging }),
            ("Activities", plan.items.filter { $0.kind == .activity }),
        ]
        var lines = [
            "\"id\" : \"\(trip.id)\"", "\"name\" : \(quoted(trip.name))", "\"notes\" : \(quoted(trip.notes))",
            "\"createdDate\" : \"2024-01-01T12:00:00Z\"", "\"startDate\" : \"\(day(trip.startDay))T00:00:00Z\"",
            "\"endDate\" : \"\(day(trip.endDay))T00:00:00Z\"", "\"hasStartDate\" : true", "\"hasEndDate\" : true",
            "\"totalCost\" : \(amount(plan.items.reduce(0) { $0 + ($1.cost?.minorUnits ?? 0) }))",
            "\"isProtected\" : \(trip.isProtected)",
        ]
        for (name, items) in groups {
            let ids = items.map { "\"\($0.id)\"" }.joined(separator: ", ")
            lines.append("\"\(name.lowercased())\" : [\(ids)]")
        }
        for (name, items) in groups {
            lines.append("\"embedded\(name)\" : [\n" + items.map(item).joined(separator: ",\n") + "\n      ]")
        }
        return "    {\n" + lines.map { "      " + $0 }.joined(separator: ",\n") + "\n    }"
    }

    private static func item(_ item: TripItem) -> String {
        var lines = [
            "\"id\" : \"\(item.id)\"", "\"name\" : \(quoted(item.name))", "\"start\" : \"\(instant(item.start))\"",
            "\"end\" : \"\(instant(item.end))\"", "\"startTZId\" : \"\(item.start?.zone ?? "")\"",
            "\"endTZId\" : \"\(item.end?.zone ?? "")\"", "\"cost\" : \(amount(item.cost?.minorUnits ?? 0))",
            "\"paid\" : \"\(item.paid == .inFull ? "infull" : item.paid == .deposit ? "deposit" : "none")\"",
            "\"notes\" : \(quoted(item.notes))",
            "\"organizationId\" : \"\(item.organization.map(\.description) ?? "")\"",
        ]
        if item.kind == .transportation {
            lines += ["\"type\" : \"plane\"", "\"confirmation\" : \(quoted(item.reservation))"]
        } else {
            lines += [
                "\"reservation\" : \(quoted(item.reservation))",
                "\"customLocationName\" : \(quoted(item.customLocationName))",
                "\"hideLocation\" : \(item.hidesLocation)",
            ]
        }
        return "        {\n" + lines.map { "          " + $0 }.joined(separator: ",\n") + "\n        }"
    }

    private static func day(_ day: Day?) -> String { day.map(\.description) ?? "0001-01-01" }

    private static func instant(_ moment: Moment?) -> String {
        guard let moment else { return "0001-01-01T00:00:00Z" }
        let seconds = Int(moment.milliseconds / 1_000)
        let day = Day(daysSince1970: seconds / 86_400).map(\.description) ?? ""
        return "\(day)T\(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func amount(_ minorUnits: Int64) -> String {
        minorUnits % 100 == 0 ? "\(minorUnits / 100)" : "\(minorUnits / 100).\(two(Int(minorUnits % 100)))"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
