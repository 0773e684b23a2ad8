import EventLog
import Events
import LMDBFormat
import LogExchange
import Platform
import ProjectionEngine
import Trips

extension TripStoreError {
    /// The store's error for one of a layer below; nil for others: a cancellation, or an app's own error.
    init?(_ error: any Error) {
        switch error {
        case let error as TripStoreError: self = error
        case let error as ValidationError:
            self.init(.invalidValue, "\(error)", entity: error.entity, field: error.field, cause: error)
        case let error as EventLogError: self.init(Code(layer: error.code.rawValue), "\(error)", cause: error)
        case let error as ExchangeError: self.init(Code(layer: error.code.rawValue), "\(error)", cause: error)
        case let error as StorageError: self.init(Code(layer: error.code.rawValue), "\(error)", cause: error)
        case let error as ContentError: self.init(Code(layer: error.code.rawValue), "\(error)", cause: error)
        case let error as OutputError:
            self.init(error.code == .occupied ? .fileExists : .unusableFile, "\(error)", cause: error)
        case let error as ProjectionError:
            self.init(
                error.code == .damaged ? .viewsDamaged : Code(layer: error.code.rawValue), "\(error)", cause: error)
        case let error as ProjectionFault:
            self.init(.projectionFailed, "\(error)", entity: error.entity, cause: error)
        case let error as PredicateFailure:
            self.init(.predicateFailed, "\(error)", entity: error.entity, cause: error.cause)
        case let error as StructureDamage: self.init(.damaged, "\(error)", cause: error)
        case let error as WireError:
            self.init(.damaged, "Stored bytes cannot be read (\(error)). Verify the log.", cause: error)
        default: return nil
        }
    }

    /// Runs what a call of the library does: what a layer below throws comes out as a `TripStoreError` with that as its cause.
    /// A `CancellationError`, and what is thrown by a closure of the app's, comes out as it is.
    @inline(__always)
    package static func wrap<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw TripStoreError(error) ?? error }
    }

    /// Wraps the errors of a closure that waits.
    @inline(__always)
    static func wrapAsync<T>(
        isolation actor: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async throws -> T {
        do { return try await body() } catch { throw TripStoreError(error) ?? error }
    }
}
