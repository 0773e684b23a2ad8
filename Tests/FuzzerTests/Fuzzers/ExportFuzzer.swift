import Foundation

@testable import TravelingSnails

/// An export of Traveling Snails, read in chunks of several sizes.
final class ExportFuzzer: Fuzzer {
    static let name = "export"
    static let longestInput = 1 << 15

    private let path: String

    init(in folder: String) { path = folder + "/export.json" }

    /// A reader's result for a file.
    private struct Answer: Equatable {
        var summary: ExportSummary?
        var error: String?
    }

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let answers = try [1 << 16, 61].map { try answer(ReaderLimits(chunk: $0, longestToken: 4096, deepest: 24)) }
        expect(answers[0] == answers[1], "in large and small chunks the file reads differently: \(answers)")
    }

    private func answer(_ limits: ReaderLimits) throws -> Answer {
        let export = ExportFile(path: path, limits: limits)
        do {
            let summary = try export.scan()
            var trips = 0
            var items = 0
            try export.forEachTrip { trip in
                trips += 1
                items += trip.items.count
                for number in trip.items.compactMap(\.cost) + [trip.totalCost].compactMap({ $0 }) { check(number) }
            }
            expect(trips == summary.tripCount && items == summary.itemCount, "\(trips) trips with \(items) items")
            return Answer(summary: summary)
        } catch let error as ExportError {
            // Only a limit on the length of a text may depend on how the file was read.
            return Answer(error: "\(error)")
        }
    }

    private func check(_ number: DecimalNumber) {
        expect(DecimalNumber(number.text) == number, "\(number) is no number")
        guard let whole = try? number.minorUnits(digits: 0), let cents = try? number.minorUnits(digits: 2) else {
            return
        }
        let rounded = (Double(cents) / 100 - Double(whole)).magnitude
        expect(rounded <= 0.51 + Double(whole.magnitude) * 1e-15, "\(number) is \(whole) and \(cents) hundredths")
    }
}
