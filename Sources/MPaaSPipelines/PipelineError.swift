package import MPaaSSupport

/// The errors of pipelines.
package enum PipelineDomain {}

/// Why a pipeline cannot be read, written or run.
package typealias PipelineError = CodedError<PipelineDomain>
