// Names of the files of models that are not those of transformers.

export const openClipConfig = 'open_clip_config.json';
export const sentencePieces = 'spiece.model';
