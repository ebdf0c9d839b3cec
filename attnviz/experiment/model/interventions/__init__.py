"""The interventions of the model lab, one file each; fields of `attnviz.experiment.model.spec.ModelSpec` carry them."""
