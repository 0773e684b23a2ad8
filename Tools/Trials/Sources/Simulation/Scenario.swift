import TripStoreTestSupport

/// The steps of a simulation: the same for the same seed.
public struct Scenario: Sendable {
    public let seed: UInt64
    public let replicas: Int
    public var steps: [SimulationStep]
    /// Whether the first replica founds the journal and grants the others, as stores do. Otherwise every replica that knows the
    /// journal's id may write, hostile writers too; in a founded journal these do nothing.
    public let isFounded: Bool

    /// The maximum number of replicas at a time.
    public static let mostReplicas = 12

    public init(seed: UInt64, replicas: Int, steps: [SimulationStep], isFounded: Bool = false) {
        self.isFounded = isFounded
        self.seed = seed
        self.replicas = replicas
        self.steps = steps
    }

    /// Draws a scenario. Most have few replicas, which then meet more often; some have up to twelve.
    public init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let replicas =
            Int.random(in: 0..<10, using: &random) == 0
            ? Int.random(in: 5...10, using: &random) : Int.random(in: 2...4, using: &random)
        let count = Int.random(in: 10...40, using: &random)
        // Half of the scenarios begin with a shared trip: without one, few edits concern the same entity.
        let beginning: [SimulationStep] = [
            .write(replica: 0, commits: 4, seed: random.next()), .exchange(1, with: 0, over: .direct), .backUp(0),
        ]
        let steps = Bool.random(using: &random) ? beginning : []
        self.init(
            seed: seed, replicas: replicas, steps: steps + (0..<count).map { _ in Self.step(replicas, &random) },
            isFounded: seed.isMultiple(of: 2))
    }

    private static func step(_ replicas: Int, _ random: inout SeededRandom) -> SimulationStep {
        // A few numbers beyond those at the start, for devices that join later.
        func replica(_ random: inout SeededRandom) -> Int {
            Int.random(in: 0..<min(replicas + 2, mostReplicas), using: &random)
        }
        switch Int.random(in: 0..<46, using: &random) {
        case 0..<12:
            return .write(
                replica: replica(&random), commits: Int.random(in: 1...3, using: &random), seed: random.next())
        case 12: return .writeUnknown(replica: replica(&random), seed: random.next())
        case 13..<25:
            return .exchange(replica(&random), with: replica(&random), over: carrier(&random))
        case 25, 26:
            return .writeBundle(from: replica(&random), for: Bool.random(using: &random) ? replica(&random) : nil)
        case 27, 28, 29:
            return .readBundle(number: Int.random(in: 0..<4, using: &random), into: replica(&random))
        case 30: return .crash(replica(&random))
        case 31: return .wait(milliseconds: Int64.random(in: 0...5000, using: &random))
        case 32:
            return .setClock(
                replica: replica(&random), by: Int64.random(in: -6 * 3_600_000...6 * 3_600_000, using: &random))
        case 33: return .partition(UInt32.random(in: 0..<1 << 12, using: &random))
        case 34: return .join
        case 35: return .backUp(replica(&random))
        case 36...40: return .restore(replica(&random), isSeen: Int.random(in: 0..<3, using: &random) == 0)
        default: return .copy(replica(&random), isSeen: Int.random(in: 0..<3, using: &random) == 0)
        }
    }

    private static func carrier(_ random: inout SeededRandom) -> SimulatedCarrier {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: .direct
        case 2: .cut(after: Int.random(in: 0...6, using: &random))
        case 3: .messages(faults: 0, seed: random.next())
        default: .messages(faults: Int.random(in: 20...300, using: &random), seed: random.next())
        }
    }
}
