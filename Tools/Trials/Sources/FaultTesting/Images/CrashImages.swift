import EventLog
import Foundation
import LMDB
import TripStoreTestSupport

/// Makes images of what power cuts leave of a recording, and checks each.
public struct CrashImages: Sendable {
    public struct Options: Sendable {
        public var images: Int
        public var seed: UInt64
        public var ignoring: IgnoredSyncs
        /// How many are checked at a time.
        public var jobs: Int
        /// That image alone; nil for all.
        public var only: Int?
        /// The first failing images are kept in folders, as they were before the check, up to this number.
        public var keeps = 0
        public var cuts = Cuts.drawn

        public init(
            images: Int, seed: UInt64 = 1, ignoring: IgnoredSyncs = [], jobs: Int = 2, only: Int? = nil
        ) {
            self.images = images
            self.seed = seed
            self.ignoring = ignoring
            self.jobs = jobs
            self.only = only
        }
    }

    /// When the power is cut.
    public enum Cuts: Sendable {
        /// At drawn operations, mostly at syncs.
        case drawn
        /// At each operation in turn, or at as many as there are images, evenly.
        case each
        /// After the last operation.
        case end
    }

    /// An image with faults.
    public struct Failure: Sendable, CustomStringConvertible {
        public let image: Int
        /// Where the power was cut, and what the medium kept.
        public let cut: String
        public let faults: [StoreFault]
        /// Its folder, if it was kept.
        public let folder: String?

        public var description: String {
            "image \(image), \(cut): \(faults.map(\.description).joined(separator: "; "))"
                + (folder.map { " (kept in \($0))" } ?? "")
        }
    }

    public struct Outcome: Sendable {
        public var images = 0
        /// Trips whose presence was required, over all images.
        public var acknowledged = 0
        public var failures: [Failure] = []
    }

    fileprivate struct Image: Sendable {
        let number: Int
        let cut: String
        let check: StoreCheck
        /// The same image again, for people to inspect; nil if none is to be kept.
        let untouched: StoreCheck?
    }

    /// Checks images of a recording; they are written into folders below `folder`, which are removed one by one.
    ///
    /// `progress` is called before each check. Throws what prevents making an image.
    public static func check(
        _ recording: Recording, in folder: String, _ options: Options,
        progress: @escaping @Sendable (Int, String) -> Void = { _, _ in }
    ) async throws -> Outcome {
        var outcome = Outcome()
        var maker = try ImageMaker(recording, options)
        let checkers = CheckerPool()
        var kept = 0
        try await withThrowingTaskGroup(of: (Image, [StoreFault]).self) { group in
            var running = 0
            func take() async throws {
                guard let (image, faults) = try await group.next() else { return }
                running -= 1
                outcome.images += 1
                outcome.acknowledged += image.check.expectations.acknowledged
                image.check.remove()
                let isKept = !faults.isEmpty && image.untouched != nil && kept < options.keeps
                if isKept { kept += 1 } else { image.untouched?.remove() }
                guard !faults.isEmpty else { return }
                outcome.failures.append(
                    Failure(
                        image: image.number, cut: image.cut, faults: faults,
                        folder: isKept ? image.untouched?.root : nil))
            }
            while let image = try maker.next(in: folder, keeping: kept < options.keeps) {
                if running == max(1, options.jobs) { try await take() }
                running += 1
                group.addTask {
                    progress(image.number, image.cut)
                    return (image, try await checkers.faults(image.check))
                }
            }
            while running > 0 { try await take() }
        }
        return outcome
    }
}

/// Goes through a trace once and draws images where they are due.
private struct ImageMaker {
    private let recording: Recording
    private let medium: RecordedMedium
    private var expectations: Expectations
    /// The cuts that are still to be made, the last one first.
    private var cuts: [(number: Int, cut: CutPoint, seed: UInt64)] = []
    private var done = 0

    /// A point in a trace: before an operation, or during it.
    private struct CutPoint: Comparable {
        let index: Int
        let isUnderWay: Bool

        static func < (a: CutPoint, b: CutPoint) -> Bool {
            (a.index, a.isUnderWay ? 1 : 0) < (b.index, b.isUnderWay ? 1 : 0)
        }

        /// The points at which an operation is in progress, if that leaves something else than before it, or has ended.
        static func all(of operation: Trace.Record.Operation, at index: Int) -> [CutPoint] {
            let end = CutPoint(index: index + 1, isUnderWay: false)
            if case .write = operation { return [CutPoint(index: index, isUnderWay: true), end] }
            return [end]
        }
    }

    init(_ recording: Recording, _ options: CrashImages.Options) throws {
        self.recording = recording
        medium = try recording.start(ignoring: options.ignoring)
        expectations = recording.expectations
        let records = recording.trace.records
        let syncs = records.indices.filter { records[$0].operation.isSync }
        let points =
            switch options.cuts {
            case .drawn: [CutPoint]()
            case .each: records.indices.flatMap { CutPoint.all(of: records[$0].operation, at: $0) }
            case .end: [CutPoint(index: records.count, isUnderWay: false)]
            }
        // Other images of each workload.
        let workload = recording.workload.name.utf8.reduce(0) { ($0 &* 31) &+ UInt64($1) } << 32
        for number in 0..<options.images {
            var random = SeededRandom(seed: workload &+ options.seed &* 0x9E37_79B9 &+ UInt64(number))
            // Mostly next to syncs, because durability is decided there.
            let cut: CutPoint
            if !points.isEmpty {
                let isEven = options.images < points.count
                cut = points[isEven ? number * points.count / options.images : number % points.count]
            } else if Int.random(in: 0..<10, using: &random) < 7, let sync = syncs.randomElement(using: &random) {
                cut =
                    Bool.random(using: &random)
                    ? CutPoint(index: sync, isUnderWay: true) : CutPoint(index: sync + 1, isUnderWay: false)
            } else {
                cut = CutPoint(
                    index: Int.random(in: 0...records.count, using: &random), isUnderWay: Bool.random(using: &random))
            }
            let seed = random.next()
            if let only = options.only, only != number { continue }
            cuts.append((number, cut, seed))
        }
        cuts.sort { $0.cut > $1.cut }
    }

    /// The next image, written into a folder of its own; nil if there are no more.
    mutating func next(in parent: String, keeping: Bool) throws -> CrashImages.Image? {
        guard let (number, point, seed) = cuts.popLast() else { return nil }
        let records = recording.trace.records
        while done < point.index {
            let record = records[done]
            try medium.apply(record)
            if case .mark(let text) = record.operation, let line = JournalLine(text) { expectations.note(line) }
            done += 1
        }
        let record = point.isUnderWay && point.index < records.count ? records[point.index] : nil
        var cut = PowerCut(seed: seed)
        var same = cut
        let uncommitted = record.flatMap { medium.uncommitted($0) }
        let folder = "\(parent)/image-\(number)"
        let marks = try cut.write(medium, uncommitted: uncommitted, to: folder)
        var untouched: StoreCheck?
        if keeping {
            let marks = try same.write(medium, uncommitted: uncommitted, to: folder + "-untouched")
            untouched = StoreCheck(root: folder + "-untouched", expectations: expectations, marks: marks)
            try untouched?.save()
        }
        let words =
            "\(recording.workload.name), \(point.isUnderWay ? "during" : "before") operation \(point.index) of "
            + "\(records.count), seed \(seed), \(cut.description)"
        return CrashImages.Image(
            number: number, cut: words, check: StoreCheck(root: folder, expectations: expectations, marks: marks),
            untouched: untouched)
    }
}

extension Trace.Record.Operation {
    /// Whether it makes something durable.
    fileprivate var isSync: Bool {
        switch self {
        case .sync: true
        case .write(_, _, _, .synced): true
        default: false
        }
    }
}

extension CrashImages.Outcome {
    /// The images with faults of each kind.
    public var byKind: [(kind: StoreFault.Kind, failures: [CrashImages.Failure])] {
        StoreFault.Kind.allCases.compactMap { kind in
            let found = failures.filter { $0.faults.contains { $0.kind == kind } }
            return found.isEmpty ? nil : (kind, found)
        }
    }
}
