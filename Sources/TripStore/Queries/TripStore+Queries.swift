import EventLog
import Foundation
public import ProjectionEngine

extension TripStore: TripQuerying {
    /// The state of the cache of decoded results. `read` does not use it.
    public var cacheStatistics: CacheStatistics { views.cacheStatistics }
}
